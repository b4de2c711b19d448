/** The fields of an object that have a value: an option that is left out must not be passed as undefined. Pure. */
export const defined = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
