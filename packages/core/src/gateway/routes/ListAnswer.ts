/** A page of a list of `/v1/*`, as client libraries read it. Pure. */

export const listAnswer = <A extends { readonly id: string }>(found: ReadonlyArray<A>, limit: number) => {
  const data = found.slice(0, limit)
  return {
    object: "list" as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit
  }
}
