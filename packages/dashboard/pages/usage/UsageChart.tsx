/** The picture of sums over time. The table beside it has the same in numbers. */
import { credits } from "../parts/CreditAmount.ts"
import type { Picture } from "./UsageSums.ts"

const [width, height] = [1000, 200]

/** The first, the last, and as many between them as have room. */
const ticksOf = (count: number): ReadonlyArray<number> => {
  const room = Math.min(count, 4)
  return [...new Set(Array.from({ length: room }, (_, nth) => Math.round((nth * (count - 1)) / Math.max(1, room - 1))))]
}

export const UsageChart = ({
  label,
  labelOf,
  names,
  picture: { bars, groups, top }
}: {
  readonly label: string
  readonly picture: Picture
  /** Of the groups; none where nothing is divided. */
  readonly names: ReadonlyArray<string>
  readonly labelOf: (start: string) => string
}) => {
  const step = width / Math.max(1, bars.length)
  // Thin bars with spaces between them would be a grey cloud.
  const gap = bars.length > 200 ? 0 : Math.min(step * 0.25, 6)
  return (
    <div className="grid grid-cols-1 gap-3">
      <div dir="ltr" className="usage-chart">
        <div aria-hidden="true" className="usage-scale">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{credits(value)}</span>
          ))}
        </div>
        <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
          {[0, 0.5, 1].map((part) => (
            <line key={part} x1={0} x2={width} y1={part * height} y2={part * height} />
          ))}
          {bars.map(({ parts, start, total }, nth) => {
            let below = 0
            return (
              <g key={start}>
                <title>
                  {[
                    `${labelOf(start)}: ${credits(total)}`,
                    ...(names.length === 0 ? [] : parts.map(({ at, value }) => `${names[at]}: ${credits(value)}`))
                  ].join("\n")}
                </title>
                <rect className="usage-column" x={nth * step} y={0} width={step} height={height} />
                {parts.map(({ at, value }) => {
                  const size = (value / top) * height
                  below += size
                  return (
                    <rect
                      key={at}
                      className={`usage-part is-${at}`}
                      x={nth * step + gap / 2}
                      y={height - below}
                      width={step - gap}
                      height={size}
                    />
                  )
                })}
              </g>
            )
          })}
        </svg>
        <div aria-hidden="true" className="usage-times">
          {ticksOf(bars.length).map((nth) => (
            <span key={nth}>{labelOf(bars[nth]!.start)}</span>
          ))}
        </div>
      </div>
      {names.length === 0 ? null : (
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {groups.map(({ total }, at) => (
            <li key={names[at]} className="flex min-w-0 items-center gap-2">
              <span aria-hidden="true" className={`usage-key is-${at}`} />
              <span className="min-w-0 wrap-anywhere">{names[at]}</span>
              <span className="text-soft tabular-nums">{credits(total)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
