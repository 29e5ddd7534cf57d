/**
 * The service's counters, for GET /metrics. Each process counts for itself. No label contains personal data: routes
 * are the declared paths, and everything else comes from fixed lists.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { OTP_CHANNELS } from './otp-channels.ts';

export const metricsRegistry = new Registry();
const registers = [metricsRegistry];
const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
  new Counter({ name, help, labelNames, registers });

export const httpRequestCounter = counter(
  'http_requests_total',
  'Requests that were answered.',
  'method',
  'route',
  'status',
);
export const refusedRequestsCounter = counter(
  'http_requests_refused_total',
  'Requests that were refused.',
  'code',
);
export const surveysStoredCounter = counter('surveys_stored_total', 'Interviews that arrived.', 'outcome');
export const codesRedeemed = counter('referral_codes_redeemed_total', 'Coupon codes that were redeemed.');
export const otpSentCounter = counter(
  'otp_sent_total',
  'One-time codes handed to the provider.',
  'channel',
  'result',
);
export const otpCheckCounter = counter('otp_verified_total', 'One-time codes that were checked.', 'result');

export const httpDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'From the arrival of a request to the end of its answer.',
  labelNames: ['method', 'route'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
export const surveyDeliveryDelay = new Histogram({
  name: 'survey_age_seconds',
  help: 'How long finished interviews were on the phone: received minus completed.',
  buckets: [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY],
  registers,
});

/** A value that is looked up at each scrape. Absent if the lookup fails, for example without the database. */
export function gauge<L extends string>(
  name: string,
  help: string,
  labelNames: L[],
  read: () => Promise<[labels: Record<L, string>, value: number][]>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers,
    async collect() {
      const values = await read().catch(() => []);
      this.reset();
      // A reset gauge without labels would report 0.
      if (labelNames.length === 0 && values.length === 0) this.remove();
      for (const [labels, value] of values) this.set(labels as never, value);
    },
  });
}

// Initialized with 0, so that the first event is an increase and not a new series, which alerts would miss.
for (const outcome of ['new', 'replay', 'flagged']) surveysStoredCounter.inc({ outcome }, 0);
for (const channel of OTP_CHANNELS)
  for (const result of ['sent', 'failed']) otpSentCounter.inc({ channel, result }, 0);
for (const result of ['right', 'wrong', 'failed']) otpCheckCounter.inc({ result }, 0);
