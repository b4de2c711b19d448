/** Pictures beside words. They say nothing that the words do not, so that readers skip them. */

const paths = {
  start: "M4 12.5 9 17.5 20 6.5",
  campaigns: "M3 11v2a1 1 0 0 0 1 1h3l7 5V5L7 10H4a1 1 0 0 0-1 1Zm14.5-2.5a5 5 0 0 1 0 7M20 6a8.5 8.5 0 0 1 0 12",
  preview:
    "M2.5 12S6 5.5 12 5.5 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12Zm9.500 2.800a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600Z",
  calls:
    "M5.500 4h2.700l1.300 4-1.800 1.300a10 10 0 0 0 4.500 4.500l1.300-1.800 4 1.300V16c0 1-.8 1.800-1.800 1.800C9.500 17.800 3.700 12 3.700 5.800c0-1 .8-1.800 1.800-1.800ZM14.500 4.500h6M14.500 8.500h6",
  numbers: "M9.500 4 7.500 20M16.500 4l-2 16M4.500 9h16M3.500 15h16",
  ban: "M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM6 6l12 12",
  book: "M6.500 3.500h12v17h-12v-17ZM4 8h2.500M4 12h2.500M4 16h2.500M12.500 11.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM9 16.500c.4-1.900 1.800-2.800 3.500-2.800s3.100.9 3.500 2.800",
  upload: "M12 15.500V4.500M7.500 9 12 4.500 16.500 9M4.500 19.500h15",
  next: "M5 12h13m-5.500-5.500L18 12l-5.500 5.500",
  chat: "M4 5.500h16v10.500H10l-4.500 3.500V16H4V5.500Z",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 8.5c.9-3.4 4.1-5.5 8-5.5s7.1 2.1 8 5.5",
  help: "M9.2 9a2.9 2.9 0 1 1 4.3 2.6c-.9.5-1.5 1.1-1.5 2.1v.3M12 17.5v.01M12 21.5a9.5 9.5 0 1 0 0-19 9.5 9.5 0 0 0 0 19Z",
  menu: "M4 7h16M4 12h16M4 17h16",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm5-1.5L20 20",
  back: "m14 6-6 6 6 6",
  edit: "M4.500 19.500h4L19 9l-4-4L4.500 15.500v4Z",
  trash: "M5 7h14M10 7V4.500h4V7m-7.500 0 1 12.500h9l1-12.500",
  down: "m6 9.500 6 6 6-6",
  close: "M6 6l12 12M18 6 6 18",
  draft:
    "M12 4.5v.01M16.6 6v.01M19.5 10v.01M19.5 14.5v.01M16.6 18.5v.01M12 20v.01M7.4 18.5v.01M4.5 14.5v.01M4.5 10v.01M7.4 6v.01",
  clock: "M12 7v5l3.2 2M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17Z",
  play: "M8 5.5v13l10.5-6.5L8 5.5Z",
  pause: "M9 6v12M15 6v12",
  warning: "M12 4 2.8 19.5h18.4L12 4Zm0 6v4.5m0 2.6v.01",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1",
  check: "M5 12.5 10 17.5 19.5 7",
  cross: "M7 7l10 10M17 7 7 17",
  phone:
    "M6.5 4h3l1.5 4.5-2 1.4a11 11 0 0 0 5 5l1.4-2 4.6 1.6v3c0 1.1-.9 2-2 2C11 19.500 4.500 13 4.500 6a2 2 0 0 1 2-2Z",
  circle: "M12 19a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.500 3.500 0 0 0 0 7Zm-6 8.500c.6-3 3-4.800 6-4.800s5.400 1.800 6 4.800M16 4.500a3.300 3.300 0 0 1 0 6.300M18 15.200c1.600.7 2.700 2.200 3 4.300",
  download: "M12 4v11m-4.500-4.500L12 15l4.500-4.500M4.500 19.500h15",
  plus: "M12 5v14M5 12h14"
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name, className = "size-4.5 flex-none" }: { name: IconName; className?: string }) => (
  <svg
    viewBox="0 0 24 24"
    aria-hidden="true"
    focusable="false"
    className={className}
    fill={name === "play" ? "currentColor" : "none"}
    stroke="currentColor"
    strokeWidth={name === "draft" ? 2.8 : 2}
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={paths[name]} />
  </svg>
)
