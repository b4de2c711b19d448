/** The plans and what each includes. Data; pure. Source: docs/reference/plans.md. */
import * as Schema from "effect/Schema"
import { type Nano, nanoPerCredit } from "./Money.ts"

export const Plan = Schema.Literals(["free", "starter", "pro", "enterprise"])
export type Plan = typeof Plan.Type

/** A metered service: that of a model, or `search`. */
export const Service = Schema.Literals(["llm", "stt", "tts", "image", "embedding", "search"])
export type Service = typeof Service.Type

/** Services whose calls a plan counts; each image is a call. Embeddings and searches are limited by credit and budgets alone. */
export const countedServices = ["llm", "stt", "tts", "image"] as const satisfies ReadonlyArray<Service>
type CountedService = (typeof countedServices)[number]

export const isCounted = (service: Service): service is CountedService =>
  (countedServices as ReadonlyArray<Service>).includes(service)

/** Null stands for unlimited, and zero for none. */
export interface PlanTerms {
  readonly usdPerMonth: number
  /** Booked once in each calendar month. */
  readonly bonus: Nano
  /** False: usage is priced and logged, not deducted. */
  readonly deducts: boolean
  readonly callsPerMonth: Readonly<Record<CountedService, number | null>>
  readonly conversationsPerMonth: number | null
  readonly storageBytes: number | null
  readonly teamMembers: number | null
  /** Of each key, in any 60 seconds. */
  readonly requestsPerMinute: number | null
}

const credits = (amount: bigint): Nano => amount * nanoPerCredit
const megabyte = 1_000_000

export const plans: Readonly<Record<Plan, PlanTerms>> = {
  free: {
    usdPerMonth: 0,
    bonus: 0n,
    deducts: true,
    callsPerMonth: { llm: 100, stt: 50, tts: 50, image: 0 },
    conversationsPerMonth: 50,
    storageBytes: 100 * megabyte,
    teamMembers: 2,
    requestsPerMinute: 120
  },
  starter: {
    usdPerMonth: 12,
    bonus: credits(500n),
    deducts: true,
    callsPerMonth: { llm: 5_000, stt: 2_500, tts: 2_500, image: 500 },
    conversationsPerMonth: 1_000,
    storageBytes: 1_000 * megabyte,
    teamMembers: 5,
    requestsPerMinute: 200
  },
  pro: {
    usdPerMonth: 60,
    bonus: credits(5_000n),
    deducts: true,
    callsPerMonth: { llm: 50_000, stt: 25_000, tts: 25_000, image: 5_000 },
    conversationsPerMonth: 10_000,
    storageBytes: 10_000 * megabyte,
    teamMembers: 20,
    requestsPerMinute: 1_000
  },
  enterprise: {
    usdPerMonth: 240,
    bonus: 0n,
    deducts: false,
    callsPerMonth: { llm: null, stt: null, tts: null, image: null },
    conversationsPerMonth: null,
    storageBytes: null,
    teamMembers: null,
    requestsPerMinute: null
  }
}

/** Calls of a service in a calendar month; null for no cap. */
export const capOf = (plan: Plan, service: Service): number | null =>
  isCounted(service) ? plans[plan].callsPerMonth[service] : null

/** What a key has been given goes before what its plan says; null for no limit. */
export const requestsPerMinute = (plan: Plan, ofKey: number | null): number | null =>
  ofKey ?? plans[plan].requestsPerMinute

const defaultConcurrency = 16

/** Requests of a key that may run at the same time. */
export const concurrency = (ofKey: number | null): number => ofKey ?? defaultConcurrency
