/** Makes a function that computes its value once for each object, and keeps it as long as the object. */
export function memoized<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const kept = known.get(key) ?? { value: compute(key) };
    known.set(key, kept);
    return kept.value;
  };
}
