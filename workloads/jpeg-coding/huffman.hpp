// What the baseline JPEG standard (ITU-T T.81, 1992) gives as examples for brightness in its annex K: how coarsely to quantise, and how
// many bits the codes have.
#pragma once

namespace jpeg {

constexpr int kSide = 8, kCoefficients = kSide * kSide;
constexpr int kRunsAndSizes = 256;   // a run of zeros in the upper half of a byte, the bits of the next value in the lower
constexpr int kSixteenZeros = 0xf0;  // a symbol of its own
constexpr int kEndOfBlock = 0x00;

// Table K.1, row by row: the steps in which coefficients are kept.
constexpr short kSteps[kCoefficients] = {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,  //
                                         14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,  //
                                         18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,  //
                                         49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};

// Table K.3: the length of the code for the number of bits of a first coefficient's difference.
constexpr unsigned char kFirstLengths[12] = {2, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9};

struct CodeLengths {
  unsigned char of[kRunsAndSizes];
};

// Table K.5: the shorter codes, by their length; all other symbols of a run and 1 to 10 bits have 16 bits.
constexpr CodeLengths codeLengths() {
  CodeLengths lengths{};
  for (int run = 0; run < 16; ++run)
    for (int bits = 1; bits <= 10; ++bits) lengths.of[16 * run + bits] = 16;
  constexpr int kLongest = 15;
  constexpr int kCodes[kLongest + 1] = {0, 0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1};
  constexpr int kSymbols[] = {0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13,
                              0x51, 0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42,
                              0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82};
  int next = 0;
  for (int length = 1; length <= kLongest; ++length)
    for (int code = 0; code < kCodes[length]; ++code) lengths.of[kSymbols[next++]] = static_cast<unsigned char>(length);
  return lengths;
}

struct Order {
  unsigned char at[kCoefficients];
};

// The zig-zag order: diagonals from the first coefficient on, upwards and downwards by turns.
constexpr Order zigZag() {
  Order order{};
  int next = 0;
  for (int diagonal = 0; diagonal < 2 * kSide - 1; ++diagonal)
    for (int i = 0; i <= diagonal; ++i) {
      const int row = diagonal % 2 == 0 ? diagonal - i : i, column = diagonal - row;
      if (row < kSide && column < kSide) order.at[next++] = static_cast<unsigned char>(row * kSide + column);
    }
  return order;
}

}  // namespace jpeg
