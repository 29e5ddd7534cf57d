/** Whether this person hands out codes from the phone or printed coupons, remembered on the device. */
import { readLocalSetting, storeLocalSetting } from '../../device/local-settings.ts';
import type { CouponSource } from '../../device/store/store.ts';

const KEY = 'coupons-from';

export const recallCouponSource = (): CouponSource => (readLocalSetting(KEY) === 'paper' ? 'paper' : 'phone');

export function rememberCouponMedium(source: CouponSource): void {
  storeLocalSetting(KEY, source);
}
