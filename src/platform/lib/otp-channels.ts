/** How one-time codes can be sent to a phone. Browser-safe. */
export const OTP_CHANNELS = ['sms', 'call'] as const;
export type OtpChannel = (typeof OTP_CHANNELS)[number];
