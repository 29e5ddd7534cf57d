/** The day of a timestamp on a page of the dashboard. */
import { dayIn } from '../../client/src/texts/day-in.ts';

test.each([
  ['2027-03-02T03:00:00Z', 'America/Los_Angeles', '2027-03-01'],
  ['2027-03-01T22:30:00Z', 'Asia/Kolkata', '2027-03-02'],
  ['2027-03-01T12:00:00Z', 'UTC', '2027-03-01'],
])('the day of %s is the day in the study’s time zone (%s)', (at, zone, day) => {
  expect(dayIn(at, zone)).toBe(day);
});
