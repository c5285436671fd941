// Logarithmic axes: what they reach from and to, and ticks that have room for their numbers.

const kBeyond = 1.15;  // the outermost values, as a factor
// Of powers of ten, from many ticks to few.
const kMultiples = [
  [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9], [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1],
];

function ticksOf(multiples, [least, most], step = 1) {
  const from = step * Math.floor(Math.log10(least) / step), until = Math.ceil(Math.log10(most));
  const powers = Array.from({ length: Math.floor((until - from) / step) + 1 }, (_, index) => from + index * step);
  return powers.flatMap((power) => multiples.map((multiple) => Number(`${multiple}e${power}`))).filter((tick) => tick >= least && tick <= most);
}

const nearest = (ticks) => Math.min(...ticks.slice(1).map((tick, index) => Math.log(tick / ticks[index])));

// Of an axis that is `length` pixels long, ticks that are `each` or more apart.
export function logarithmicTicks(domain, { length, each }) {
  const least = (each / length) * Math.log(domain[1] / domain[0]);
  for (const multiples of kMultiples) {
    const ticks = ticksOf(multiples, domain);
    if (nearest(ticks) >= least) return ticks;
  }
  let step = 2;
  while (step * Math.log(10) < least) ++step;
  return ticksOf([1], domain, step);
}

// The options of a scale for these values, which are positive.
export function logarithmicScale(values, room) {
  const domain = [Math.min(...values) / kBeyond, Math.max(...values) * kBeyond];
  return { type: "log", domain, ticks: logarithmicTicks(domain, room) };
}
