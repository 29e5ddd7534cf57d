/** Checks Twilio's settings, and that it knows the account and the Verify service. Sends nothing. */
import { twilioOtp } from '../../src/access/auth/otp/otp-twilio.ts';
import { type Finding, failure, ok, RESTART, warning } from './finding.ts';
import { faultsAs, type Settings, TWILIO_FAULT } from './settings.ts';

const CONSOLE = 'https://console.twilio.com';

export async function examineTwilio({ config: { otp }, production, faults }: Settings): Promise<Finding[]> {
  const findings = faultsAs(faults.filter((fault) => TWILIO_FAULT.test(fault)));
  if (findings.length > 0) return findings;
  if (otp.provider === 'console')
    return [
      (production ? failure : warning)(
        'Codes are printed, not sent.',
        `Set the three TWILIO_ settings in .env, then: ${RESTART}`,
      ),
    ];
  const shapes = {
    TWILIO_ACCOUNT_SID: [otp.accountSid, /^AC[0-9a-fA-F]{32}$/],
    TWILIO_VERIFY_SERVICE_SID: [otp.serviceSid, /^VA[0-9a-fA-F]{32}$/],
  } as const;
  for (const [name, [value, shape]] of Object.entries(shapes))
    if (!shape.test(value))
      return [
        failure(
          `${name} is not complete: two letters and 32 digits or letters a to f.`,
          `Copy it from ${CONSOLE}, then: ${RESTART}`,
        ),
      ];
  try {
    await (await twilioOtp(otp)).checkHealth();
    return [ok('Twilio knows the account and the service, and its codes have 6 digits')];
  } catch (error) {
    return [refusal(error instanceof Error && error.cause instanceof Error ? error.cause.message : '')];
  }
}

function refusal(message: string): Finding {
  if (/answered 40[13]/.test(message))
    return failure(
      'Twilio refuses the account or its token.',
      `Copy TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN from ${CONSOLE}, then: ${RESTART}`,
    );
  if (/answered 404/.test(message))
    return failure(
      'Twilio doesn’t know the Verify service.',
      `Copy TWILIO_VERIFY_SERVICE_SID from ${CONSOLE}, then: ${RESTART}`,
    );
  if (/must have \d digits/.test(message))
    return failure(`${message}.`, `Set the code length in ${CONSOLE}: Verify, Services.`);
  return warning(
    `${message || 'Twilio’s reply could not be read'}.`,
    'See https://status.twilio.com, and check that this machine can reach it: curl -I https://verify.twilio.com',
  );
}
