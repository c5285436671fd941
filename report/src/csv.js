// Comma-separated values as RFC 4180 has them.

const cell = (value) => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const columnText = ({ name, unit }) => (unit ? `${name} (${unit})` : name);

// Columns: { name, unit }; those without a unit hold texts.
export const csvOf = ({ columns, rows }) => [columns.map(columnText), ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
