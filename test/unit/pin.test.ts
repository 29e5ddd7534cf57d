/** Which PINs are refused, and when a window has been out of sight for too long. */
import { digitsIn, isWeakPin } from '../../client/src/device/lock/pin.ts';
import { isAppHiddenFor } from '../../client/src/device/lock/sight.ts';

describe('a PIN', () => {
  test.each([
    '123456',
    '654321',
    '890123',
    '246802',
    '000000',
    '111222',
    '121212',
    '123123',
    '112233',
    '19870624',
    '24061987',
    '12345678',
    '987654321098',
  ])('%s is refused', (pin) => expect(isWeakPin(pin)).toBe(true));

  test.each(['482915', '730462', '90517264', '198765', '20261399'])('%s is accepted', (pin) =>
    expect(isWeakPin(pin)).toBe(false),
  );

  test('from the person’s own phone number is refused', () => {
    expect(isWeakPin('555017', '+12065550171')).toBe(true);
    expect(isWeakPin('555018', '+12065550171')).toBe(false);
  });

  test('may be typed in the digits of any script', () => expect(digitsIn('٤٨ ۲9-१5')).toBe('482915'));
});

describe('a window', () => {
  const at = (wall: number, ticks = wall) => ({ wall: wall * 60_000, ticks: ticks * 60_000 });

  test('may be out of sight for less than the minutes that the study allows', () => {
    expect(isAppHiddenFor(10, at(0), at(9.9))).toBe(false);
    expect(isAppHiddenFor(10, at(0), at(10))).toBe(true);
  });

  test('is out of sight too long by either clock, because one stands still while the phone sleeps', () => {
    expect(isAppHiddenFor(10, at(0), at(60, 2))).toBe(true);
    expect(isAppHiddenFor(10, at(0), at(2, 60))).toBe(true);
  });

  test('locks if the clock was set back, but not for a correction by the network', () => {
    expect(isAppHiddenFor(10, at(100, 0), at(50, 3))).toBe(true);
    expect(isAppHiddenFor(10, at(100, 0), at(102.5, 3))).toBe(false);
  });
});
