/** Makes a function that computes its value once for each argument. An object is kept no longer than others keep it. */
export function memoized<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const ofObjects = new WeakMap<object, { readonly value: Value }>();
  const ofOthers = new Map<unknown, { readonly value: Value }>();
  return (key) => {
    const known = typeof key === 'object' && key !== null ? ofObjects.get(key) : ofOthers.get(key);
    if (known !== undefined) return known.value;
    const value = compute(key);
    if (typeof key === 'object' && key !== null) ofObjects.set(key, { value });
    else ofOthers.set(key, { value });
    return value;
  };
}

/** Makes a function that computes its value when it is first called, and then returns it. */
export function once<Value>(compute: () => Value): () => Value {
  const known = memoized((_: undefined) => compute());
  return () => known(undefined);
}
