/** Whether this person hands out codes from the phone or printed coupons, remembered on the device. */
import { readSetting, storeSetting } from '../../device/local-settings.ts';
import type { CouponSource } from '../../device/store/store.ts';

const KEY = 'coupons-from';

export const couponsFrom = (): CouponSource => (readSetting(KEY) === 'paper' ? 'paper' : 'phone');

export function rememberCouponsFrom(source: CouponSource): void {
  storeSetting(KEY, source);
}
