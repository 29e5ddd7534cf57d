/** The keys of all queries, in one table. No query or invalidation compiles with any other key. */

export const queryKeys = {
  study: ['study'],
  publicStudy: ['public-study'],
  locations: ['locations'],
  /** Id of the active questionnaire. */
  active: ['active'],
  questionnaire: (id: string | null) => ['questionnaire', id] as const,
  /** Phone number formats of all countries, for readers in this region. */
  phonePlan: (region: string | undefined) => ['phone-plan', region] as const,
  /** The site the person chose on this device. */
  chosenSite: (owner: string) => ['site', owner] as const,

  allSurveys: ['surveys'],
  surveysOf: (owner: string) => ['surveys', owner] as const,
  sentBack: (owner: string) => ['surveys', owner, 'sent-back'] as const,
  survey: (id: string) => ['survey', id] as const,
  comments: (survey: string, version: number) => ['survey', survey, 'comments', version] as const,
  passkeys: (owner: string) => ['passkeys', owner] as const,
  sessions: (owner: string) => ['sessions', owner] as const,
  strandedCodes: (owner: string, stranded: number | undefined) => ['stranded', owner, stranded] as const,

  /**
   * The dashboard's queries, refetched after each change. The person is part of the key, so that whoever signs in
   * next on this device sees none of it.
   */
  allOfDashboard: ['dashboard'],
  answer: (owner: string, path: string) => ['dashboard', owner, path] as const,
  allPages: (owner: string, path: string) => ['dashboard', owner, path, 'all-pages'] as const,
  waitingPeople: (owner: string) => ['dashboard', owner, 'waiting-people'] as const,
} as const;

type KeyOf<Entry> = Entry extends (...args: never[]) => infer Key ? Key : Entry;

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: KeyOf<(typeof queryKeys)[keyof typeof queryKeys]>;
  }
}
