/** What the service sends and takes, as far as the client uses it. */

export type Role = 'SUPER_ADMIN' | 'ADMIN' | 'MANAGER' | 'VOLUNTEER';
export type ApprovalStatus = 'PENDING' | 'APPROVED' | 'REJECTED';
export type Answers = Record<string, unknown>;

export interface User {
  id: string;
  firstName: string;
  lastName: string;
  phone: string;
  email: string | null;
  role: Role;
  approvalStatus: ApprovalStatus;
  location: string | null;
}

export interface SessionReply {
  user: User;
  currentLocation: string | null;
  rules: unknown[][];
}

export interface Location {
  id: string;
  name: string;
  address: string | null;
  type: string;
}

export interface Study {
  name: string;
  contact: string | null;
  couponsPerSurvey: number;
  couponText: Record<string, string>;
  languages: string[];
}

export interface Questionnaire {
  id: string;
  name: string;
  version: number;
  definition: object;
  networkSizeQuestion: string;
  active: boolean;
}

export interface Coordinates {
  latitude: number;
  longitude: number;
  accuracy?: number;
}

export interface Flag {
  code: string;
  referralCode?: string | null;
  at: string;
  [more: string]: unknown;
}

/** The body of POST /api/surveys as this client sends it. */
export interface SurveyBody {
  clientId: string;
  location: string;
  questionnaire: string;
  responses: Answers;
  status: 'COMPLETED';
  startedAt: string;
  completedAt: string;
  onCodeProblem: 'FLAG';
  referralCode?: string;
  issuedCodes?: string[];
  coordinates?: Coordinates;
}

export interface Survey {
  id: string;
  clientId: string | null;
  referralCode: string | null;
  seed: string | null;
  recruiter: string | null;
  wave: number | null;
  issuedCodes: string[];
  questionnaire: string;
  responses: Answers;
  status: 'IN_PROGRESS' | 'COMPLETED';
  flags: Flag[];
  coordinates: Coordinates | null;
  location: string;
  createdBy: string;
  startedAt: string | null;
  completedAt: string | null;
  createdAt: string;
  version: number;
}

export interface ListOf<T> {
  data: T[];
  nextCursor: string | null;
}

export type CodeReason = 'MALFORMED' | 'UNKNOWN' | 'USED' | 'VOID' | 'EXPIRED' | 'NOT_YET';
export interface CodeReply {
  code: string;
  isValid: boolean;
  reason: CodeReason | null;
  message: string;
}
