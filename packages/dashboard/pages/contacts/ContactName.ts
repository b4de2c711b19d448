/** What a person of the address book is called; the number where no name is known. Pure. */
import type { Contact } from "@trunkline/client"

export const contactName = ({
  first_name,
  last_name,
  name,
  phone
}: Pick<Contact, "first_name" | "last_name" | "name" | "phone">): string =>
  name ?? ([first_name, last_name].filter((part) => part !== null).join(" ") || phone)
