// Units of metrics, by the ends of their names: docs/timing.md and docs/profile.md define them.

const units = [
  [/\.energy_delay_squared\.\w+$/, "J s²"],
  [/\.energy_delay\.\w+$/, "J s"],
  [/\.power\.\w+$/, "W"],
  [/energy\..*\.(value|low|high)$/, "J"],
  [/bytes_per_nanosecond$/, "GB/s"],
  [/_per_cycle$/, "1/cycle"],
  [/nanoseconds$/, "ns"],
  [/seconds$/, "s"],
  [/figures\.load_latency$|cycles$|(estimate|sampled)\.(low|high)$/, "cycles"],
  [/^spe\.stalls\./, "cycles"],
  [/ticks$/, "ticks"],
  [/bytes(_\w+)?$/, "B"],
  [/(rate|share|efficiency|utilisation|occupancy)$|figures\.\w*(stalls|active|idle)$/, "share"],
  [/_per_|ratio$|degree$/, "ratio"],
];

export const unitOf = (metric) => units.find(([end]) => end.test(metric))?.[1] ?? "count";
