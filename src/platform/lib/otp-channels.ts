/** How a one-time code can reach a phone. Browser-safe. */
export const OTP_CHANNELS = ['sms', 'call'] as const;
export type OtpChannel = (typeof OTP_CHANNELS)[number];
