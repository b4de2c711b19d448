/** Lists that are filtered: every set of filters that may be asked for has a statement of its own, with a plan of its own. */

/**
 * Makes a value for each set of filters, such as a statement whose name ends in their names. What it returns finds the one for the
 * filters that are not null.
 */
export const byFilters =
  <F extends string>(filters: ReadonlyArray<F>) =>
  <S>(make: (asked: ReadonlyArray<F>, suffix: string) => S) => {
    const made = Array.from({ length: 1 << filters.length }, (_, shape) => {
      const asked = filters.filter((_, bit) => (shape & (1 << bit)) !== 0)
      return make(asked, asked.map((filter) => `.${filter}`).join(""))
    })
    return (value: { readonly [K in F]: unknown }): S =>
      made[filters.reduce((shape, filter, bit) => (value[filter] === null ? shape : shape | (1 << bit)), 0)]!
  }
