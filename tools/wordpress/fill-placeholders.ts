/**
 * Replaces `{name}` in each argument by the value of that name. Names without a value stay as they are, so that a
 * command may use braces of its own.
 */
export function fillPlaceholders(
  args: readonly string[],
  values: Readonly<Record<string, string>>,
): string[] {
  return args.map((arg) =>
    arg.replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
    ),
  );
}
