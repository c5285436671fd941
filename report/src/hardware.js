// What a comparison with a GPU says of its kernels: their names, orders, and how far off they are.

// As settings are: each half has a colour and a shape.
export const halves = ["development", "held-back"].map((label, index) => ({ index, label, fullLabel: label }));

export const kernelName = ({ workload, kernel }) => (workload === kernel ? kernel : `${workload} · ${kernel}`);
export const kernelText = (each) => `${kernelName(each)}, ${each.size}`;

export const errorOf = ({ gpu, ours }) => ours / gpu - 1;
// The largest error first, too long or too short.
export const byError = (kernels) => [...kernels].sort((one, other) => Math.abs(errorOf(other)) - Math.abs(errorOf(one)));

// How far the simulator is off in what was counted: by a factor, or in points of a hundred where it is a share of something. Kernels of which one side counted nothing have no factor.
export function deviations({ is_share: isShare, values }) {
  const known = isShare ? values : values.filter(({ gpu, ours }) => gpu > 0 && ours > 0);
  const points = known.map((each) => ({ ...each, value: isShare ? 100 * (each.ours - each.gpu) : each.ours / each.gpu }));
  return { points: points.sort((one, other) => one.value - other.value), leftOut: values.length - known.length };
}

// Rows of the history with `at`, the number of the comparison: a revision may have been compared more than once. A comparison has a row for each half.
export function comparisonsOf(rows) {
  const seen = new Map(), revisions = [];
  const placed = rows.map((row) => {
    const at = seen.get(row.half) ?? 0;
    seen.set(row.half, at + 1);
    revisions[at] = row.revision;
    return { ...row, at };
  });
  return { revisions, rows: placed };
}
