/** A person in a list. */

/** In place of what is not known. */
export const nothing = <span className="text-soft">–</span>

/** Where there is no room for two columns, the number stands below the name. */
export const Who = ({ name, phone }: { readonly name: string | null; readonly phone: string }) => (
  <span className="grid leading-5">
    {name === null || name === "" ? (
      nothing
    ) : (
      <span dir="auto" className="truncate" title={name}>
        {name}
      </span>
    )}
    <span className="text-xs text-soft md:hidden">{phone}</span>
  </span>
)
