/** Which request is the nth of a seed. */
import { oneOf, type Random, randomOf } from "../faults/Random.ts"
import type { Hostile } from "./Hostile.ts"
import { hostileAccess } from "./HostileAccess.ts"
import { hostileBodies } from "./HostileBodies.ts"
import { hostileForms, malformedForms } from "./HostileForms.ts"
import { hostileSpeech } from "./HostileSpeech.ts"
import { hostileWire } from "./HostileWire.ts"
import { type Asker, nearlyValid, othersId, valid } from "./Ordinary.ts"
import type { Generated } from "./Requests.ts"

type Table = Readonly<Record<string, Hostile>>

/** Conversations stand for a second each. */
const tables: ReadonlyArray<readonly [table: Table, weight: number]> = [
  [hostileBodies, 30],
  [malformedForms, 15],
  [hostileForms, 10],
  [hostileWire, 20],
  [hostileSpeech, 12],
  [hostileAccess, 15]
]

const tableOf = (random: Random): Table => {
  let rest = random() * tables.reduce((sum, [, weight]) => sum + weight, 0)
  return tables.find(([, weight]) => {
    rest -= weight
    return rest < 0
  })![0]
}

const shares = { valid: 0.5, nearly: 0.28 }

/** Names of all kinds of hostile requests. */
export const hostileNames = tables.flatMap(([table]) => Object.keys(table))

export type World = Omit<Asker, "random">

export interface Drawn {
  /** Of a hostile one; others are named once they are made. */
  readonly name: string | null
  readonly make: () => Generated
}

/** Which request it is, before anything large is made. */
export const drawn = (seed: number, number: number, world: World): Drawn => {
  const random = randomOf(seed, "request", number)
  const asker = { ...world, random }
  const share = random()
  if (share < shares.valid) return { name: null, make: () => valid(asker, number) }
  if (share < shares.valid + shares.nearly) return { name: null, make: () => nearlyValid(asker, number) }
  if (random() < 0.08) return { name: null, make: () => othersId(asker, number) }
  const table = tableOf(random)
  const name = oneOf(random, Object.keys(table))
  const make = () => throughProxy({ number, kind: "hostile", name, ...table[name]!(asker) }, random)
  return { name, make }
}

export const requestOf = (seed: number, number: number, world: World): Generated => drawn(seed, number, world).make()

/** Some come from addresses that were never seen before, as a proxy tells them. */
const throughProxy = (generated: Generated, random: Random): Generated => {
  const { request } = generated
  if (request.via !== "http" || random() < 0.6) return generated
  const part = () => Math.floor(random() * 65_536)
  const address =
    random() < 0.5
      ? `2001:db8:${part().toString(16)}:${part().toString(16)}::1`
      : `10.${part() % 256}.${part() % 256}.${part() % 256}`
  return { ...generated, request: { ...request, headers: { ...request.headers, "x-forwarded-for": address } } }
}
