// Heart wall tracking: points on the inner and outer wall of a heart are followed through the frames of an ultrasound sequence by
// matching templates (after Szafaryn, Skadron, Saucerman: "Experiences Accelerating MATLAB Systems Biology Applications", 2009). One
// block of threads a point: the template and the part of the frame where the point may have moved to lie in shared memory, each
// thread correlates the template at some of the places, the block finds the best and moves the template a little towards what it found.
#include <cmath>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 256;
constexpr int kRadius = 10, kSide = 2 * kRadius + 1;  // of a template
constexpr int kReach = 8, kPlaces = 2 * kReach + 1;   // how far a point may move between two frames, and the places along an axis
constexpr int kWindow = kSide + 2 * kReach;
constexpr int kMargin = kRadius + kReach;  // points stay so far away from the edges
constexpr int kPixels = kSide * kSide;

struct Frame {
  int columns, rows;
};

struct Match {
  float score;
  int place;
};

__host__ __device__ inline bool isBetter(const Match& a, const Match& b) {
  return a.score > b.score || (a.score == b.score && a.place < b.place);
}

// Sums over the pixels of a template t and of what lies under it, w.
struct Sums {
  int t, tt, w, ww, tw;
};

// The normalised cross-correlation. Whole numbers up to the quotient: the same on every machine.
__host__ __device__ inline float correlation(const Sums& s) {
  const long long covariance = static_cast<long long>(kPixels) * s.tw - static_cast<long long>(s.t) * s.w;
  const long long spreadT = static_cast<long long>(kPixels) * s.tt - static_cast<long long>(s.t) * s.t;
  const long long spreadW = static_cast<long long>(kPixels) * s.ww - static_cast<long long>(s.w) * s.w;
  if (spreadT == 0 || spreadW == 0) return 0.0f;
  return float(covariance) / (sqrtf(float(spreadT)) * sqrtf(float(spreadW)));
}

__host__ __device__ inline int moveTowards(int current, int seen) { return (7 * current + seen + 4) / 8; }

__host__ __device__ inline int keepInside(int position, int length) {
  return position < kMargin ? kMargin : position >= length - kMargin ? length - kMargin - 1 : position;
}

// templates: [point][row][column]. The positions are those of the frame before, then of this one.
__global__ void heartwallTrack(const unsigned char* frame, int* templates, int* columnOf, int* rowOf, Frame size) {
  __shared__ int pattern[kPixels];
  __shared__ int window[kWindow][kWindow];
  __shared__ Match matches[kThreads];
  const int thread = threadIdx.x;
  int* own = templates + size_t(blockIdx.x) * kPixels;
  const int left = columnOf[blockIdx.x] - kMargin, top = rowOf[blockIdx.x] - kMargin;
  for (int i = thread; i < kPixels; i += kThreads) pattern[i] = own[i];
  for (int i = thread; i < kWindow * kWindow; i += kThreads)
    window[i / kWindow][i % kWindow] = frame[(top + i / kWindow) * size.columns + left + i % kWindow];
  __syncthreads();

  Match best{-2.0f, 0};
  for (int place = thread; place < kPlaces * kPlaces; place += kThreads) {
    const int down = place / kPlaces, right = place % kPlaces;
    Sums s{};
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const int t = pattern[y * kSide + x], w = window[down + y][right + x];
        s.t += t;
        s.tt += t * t;
        s.w += w;
        s.ww += w * w;
        s.tw += t * w;
      }
    const Match match{correlation(s), place};
    if (isBetter(match, best)) best = match;
  }
  matches[thread] = best;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half && isBetter(matches[thread + half], matches[thread])) matches[thread] = matches[thread + half];
  }
  __syncthreads();

  const int down = matches[0].place / kPlaces, right = matches[0].place % kPlaces;
  for (int i = thread; i < kPixels; i += kThreads) own[i] = moveTowards(pattern[i], window[down + i / kSide][right + i % kSide]);
  if (thread == 0) {
    columnOf[blockIdx.x] = keepInside(left + right + kRadius, size.columns);
    rowOf[blockIdx.x] = keepInside(top + down + kRadius, size.rows);
  }
}

struct Points {
  std::vector<int> column, row, templates;
};

int pixelAt(const std::vector<unsigned char>& frame, const Frame& size, int column, int row) {
  return frame[size_t(row) * size.columns + column];
}

Sums sumsAt(const std::vector<unsigned char>& frame, const Frame& size, const int* pattern, int column, int row) {
  Sums s{};
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const int t = pattern[y * kSide + x], w = pixelAt(frame, size, column - kRadius + x, row - kRadius + y);
      s.t += t;
      s.tt += t * t;
      s.w += w;
      s.ww += w * w;
      s.tw += t * w;
    }
  return s;
}

void referenceTrack(const std::vector<unsigned char>& frame, const Frame& size, Points& points) {
  for (size_t point = 0; point < points.column.size(); ++point) {
    int* pattern = &points.templates[point * kPixels];
    Match best{-2.0f, 0};
    for (int place = 0; place < kPlaces * kPlaces; ++place) {
      const int column = points.column[point] + place % kPlaces - kReach, row = points.row[point] + place / kPlaces - kReach;
      const Match match{correlation(sumsAt(frame, size, pattern, column, row)), place};
      if (isBetter(match, best)) best = match;
    }
    const int column = points.column[point] + best.place % kPlaces - kReach, row = points.row[point] + best.place / kPlaces - kReach;
    for (int i = 0; i < kPixels; ++i)
      pattern[i] = moveTowards(pattern[i], pixelAt(frame, size, column - kRadius + i % kSide, row - kRadius + i / kSide));
    points.column[point] = keepInside(column, size.columns);
    points.row[point] = keepInside(row, size.rows);
  }
}

// A ring that beats: its texture moves with it, under the noise of each frame.
class Heart {
 public:
  Heart(const Frame& size, Random& random) : size_(size), random_(random), texture_(kAngles * kDepths) {
    for (float& value : texture_) value = random.uniform(0.0f, 120.0f);
  }

  float radiusIn(int frame) const { return (0.26f + 0.03f * std::sin(0.35f * frame)) * std::min(size_.columns, size_.rows); }

  std::vector<unsigned char> draw(int frame) {
    std::vector<unsigned char> image(size_t(size_.columns) * size_.rows);
    const float radius = radiusIn(frame);
    for (int row = 0; row < size_.rows; ++row)
      for (int column = 0; column < size_.columns; ++column) {
        const float x = column - 0.5f * size_.columns, y = row - 0.5f * size_.rows;
        const float depth = std::sqrt(x * x + y * y) - radius;
        const float wall = std::exp(-depth * depth / 200.0f);
        const float grain = textureAt(std::atan2(y, x), depth);
        image[size_t(row) * size_.columns + column] =
            static_cast<unsigned char>(20.0f + (60.0f + grain) * wall + random_.uniform(0.0f, 20.0f));
      }
    return image;
  }

 private:
  static constexpr int kAngles = 180, kDepths = 64;

  float textureAt(float angle, float depth) const {
    const int a = static_cast<int>((angle + 3.1416f) / 6.2832f * kAngles) % kAngles;
    const int d = static_cast<int>(depth / 2.0f + 1024.0f) % kDepths;
    return texture_[a * kDepths + d];
  }

  Frame size_;
  Random& random_;
  std::vector<float> texture_;
};

// Points along the inner and the outer wall, with what the first frame shows there as their templates.
Points choosePoints(const std::vector<unsigned char>& frame, const Frame& size, float radius, int count) {
  Points points;
  for (int i = 0; i < count; ++i) {
    const float angle = 6.2832f * i / count, distance = radius + (i % 2 == 0 ? -8.0f : 8.0f);
    points.column.push_back(keepInside(static_cast<int>(0.5f * size.columns + distance * std::cos(angle)), size.columns));
    points.row.push_back(keepInside(static_cast<int>(0.5f * size.rows + distance * std::sin(angle)), size.rows));
    for (int pixel = 0; pixel < kPixels; ++pixel)
      points.templates.push_back(pixelAt(frame, size, points.column[i] - kRadius + pixel % kSide, points.row[i] - kRadius + pixel / kSide));
  }
  return points;
}

struct Problem {
  Frame size;
  int points, frames;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"heartwall",
                                        "points on a beating heart followed through ultrasound frames by template matching",
                                        "150 x 140 pixels, 10 points, 3 frames",
                                        "609 x 590 pixels, 51 points, 5 frames",
                                        "609 x 590 pixels, 51 points, 104 frames",
                                        {}});
  const Frame smallFrame{150, 140}, fullFrame{609, 590};
  const Problem problem = options.pick(Problem{smallFrame, 10, 3}, Problem{fullFrame, 51, 5}, Problem{fullFrame, 51, 104});
  const Frame size = problem.size;

  Random random(35);
  Heart heart(size, random);
  std::vector<std::vector<unsigned char>> frames;
  for (int i = 0; i < problem.frames; ++i) frames.push_back(heart.draw(i));
  Points expected = choosePoints(frames[0], size, heart.radiusIn(0), problem.points);

  Timings timings;
  const DeviceArray<int> templates(expected.templates), columns(expected.column), rows(expected.row);
  DeviceArray<unsigned char> frame(frames[0].size());
  timings.kernels([&] {
    for (const std::vector<unsigned char>& image : frames) {
      frame.upload(image);
      heartwallTrack<<<problem.points, kThreads>>>(frame.data(), templates.data(), columns.data(), rows.data(), size);
    }
  });
  timings.reference([&] {
    for (const std::vector<unsigned char>& image : frames) referenceTrack(image, size, expected);
  });
  timings.print();

  // Whole numbers, and quotients of the same rounded numbers: equal to the last bit.
  bool correct = expectEqual("columns", expected.column, columns.download());
  correct = expectEqual("rows", expected.row, rows.download()) && correct;
  correct = expectEqual("templates", expected.templates, templates.download()) && correct;
  return report("heartwall", correct);
}
