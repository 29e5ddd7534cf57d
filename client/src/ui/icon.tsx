/** The app's icons. They are decorative; text always accompanies them. */
const PATHS = {
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  send: 'M21 3L10 14M21 3l-7 18-4-7-7-4z',
  person: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c1-5 4-7 8-7s7 2 8 7',
  scan: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M4 12h16',
  check: 'M4 12l6 6L20 6',
  alert: 'M12 8v5M12 17h.01M12 3l10 18H2z',
  stop: 'M12 7v6M12 17h.01M12 22a10 10 0 100-20 10 10 0 000 20z',
  noSignal: 'M3 3l18 18M5 12a10 10 0 014-2.400M19 12a10 10 0 00-6-3M8.500 15.500a5 5 0 017 0M12 20h.01',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  pin: 'M12 21s7-6 7-12a7 7 0 10-14 0c0 6 7 12 7 12zM12 12a3 3 0 100-6 3 3 0 000 6z',
  cash: 'M3 6h18v12H3zM12 14.500a2.500 2.500 0 100-5 2.500 2.500 0 000 5zM6.500 10v4M17.500 10v4',
  ticket: 'M3 7h18v4a2 2 0 000 4v4H3v-4a2 2 0 000-4zM14 7v12',
  clock: 'M12 22a10 10 0 100-20 10 10 0 000 20zM12 7v5l3 3',
  print: 'M7 8V3h10v5M7 17H3V8h18v9h-4M7 14h10v7H7z',
  share: 'M12 15V3M8 7l4-4 4 4M5 12v9h14v-9',
  lock: 'M6 11h12v10H6zM8.500 11V7a3.500 3.500 0 017 0v4M12 15v2',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14',
  single: 'M5 5h14v14H5zM9 10h6M9 14h4',
  torch: 'M8 3h8v4l-2 3v11h-4V10L8 7zM8 7h8',
  save: 'M12 3v12M8 11l4 4 4-4M4 19h16',
  walk: 'M13 5a1.500 1.500 0 100-.1M10 21l2-6-2-3 1-5 4 3 3 1M11 7L8 9l-1 3M12 15l3 2 1 4',
  language: 'M3 6h10M8 3v3M11 6c-1 5-4 8-8 9M5 9c1 3 4 5 7 6M12 21l4.500-11L21 21M13.500 17h6',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5',
  people:
    'M9 11a3.500 3.500 0 100-7 3.500 3.500 0 000 7zM2.500 20c.5-4 3-6 6.500-6s6 2 6.500 6M16 4.500a3.500 3.500 0 010 6M18 14.500c2 .8 3.200 2.800 3.500 5.500',
  chart: 'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6',
  estimate: 'M4 6h10M4 12h16M4 18h7M9 4v4M14 10v4M7 16v4',
  seed: 'M12 21v-9M12 12c0-5 3-8 8-8 0 5-3 8-8 8zM12 15c0-4-2.500-6-7-6 0 4 2.500 6 7 6z',
  question: 'M9 9a3 3 0 116 .5c0 2-3 2.500-3 4.500M12 18h.01M12 22a10 10 0 100-20 10 10 0 000 20z',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 9a2 2 0 100-4 2 2 0 000 4zM8 19a2 2 0 100-4 2 2 0 000 4z',
  find: 'M10.500 17a6.500 6.500 0 100-13 6.500 6.500 0 000 13zM15.300 15.300L20 20',
  manage: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
} as const;

export type IconName = keyof typeof PATHS;

/** Mirrored in right-to-left languages. */
const MIRRORED_ICONS = new Set<IconName>(['back', 'next', 'send', 'list', 'walk']);

export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      data-points={MIRRORED_ICONS.has(name) || undefined}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: 'none' }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
