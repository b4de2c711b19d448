/** People for a list, as `POST …/contacts` takes them: `node people.ts 1000`. Their numbers are nobody's. */
const names = ["Asha Rao", "Ben Okafor", "Chiara Conti", "Daniel Weiss", "Emma Brandt"]

/** A number for each place of the list. */
export const phoneOf = (nth: number): string => `+49 155 5500${String(nth).padStart(4, "0")}`

/** Every fifteenth has not agreed to be messaged, every hundredth has no name, and the last one is the first once more. */
export const people = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({
    phone: phoneOf(nth === count - 1 ? 0 : nth),
    name: nth % 100 === 99 ? null : names[nth % names.length],
    opted_in: nth % 15 !== 14
  }))

if (import.meta.main) console.log(JSON.stringify({ contacts: people(Number(process.argv[2] ?? 1000)) }))
