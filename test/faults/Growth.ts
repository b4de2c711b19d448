/** Whether what was sampled every minute grows: by the slope of a straight line through the last three quarters. */

export interface Sample {
  readonly minute: number
  readonly resident: number
  readonly heap: number
  readonly files: number
  readonly connections: number
  readonly wal: number
  /** Shown only: it grows with what is stored. */
  readonly database: number
  /** Seconds of processor time so far. */
  readonly processor: number
}

/** What the line may rise by in two hours: a share of its value where it begins, and this much beside. */
export const limits = {
  resident: { share: 0.1, beside: 16 * 1024 * 1024 },
  heap: { share: 0.1, beside: 4 * 1024 * 1024 },
  files: { share: 0, beside: 8 },
  connections: { share: 0, beside: 8 },
  wal: { share: 0, beside: 1024 * 1024 }
} as const

export interface Growth {
  readonly name: string
  /** Where the line begins. */
  readonly from: number
  /** What it rises by in two hours. */
  readonly after: number
  readonly bound: number
  readonly isOver: boolean
}

const lineThrough = (points: ReadonlyArray<readonly [x: number, y: number]>) => {
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const above = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0)
  const below = points.reduce((sum, [px]) => sum + (px - x) ** 2, 0)
  const slope = below === 0 ? 0 : above / below
  return { slope, at: (px: number) => y + slope * (px - x) }
}

export const growthOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<Growth> => {
  const later = samples.slice(Math.floor(samples.length / 4))
  const names = ["resident", "heap", "files", "connections", "wal"] as const
  return names.map((name) => {
    const { at, slope } = lineThrough(later.map((sample) => [sample.minute, sample[name]]))
    const from = at(later[0]?.minute ?? 0)
    const bound = from * limits[name].share + limits[name].beside
    const after = slope * 120
    return { name, from, after, bound: Math.round(bound), isOver: after > bound }
  })
}
