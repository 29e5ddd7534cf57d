/**
 * The number of an instant's calendar day as an expression of the database. Its own date functions take many times
 * longer with a time zone, and differ from lib/day.ts where midnight comes twice. Days of 24 hours in a row are a
 * division; only a day of 23 or 25 hours begins a new branch, two a year.
 */
import { dayName, dayOf } from '../lib/day.ts';

const DAY = 86_400_000;

interface Run {
  start: Date;
  end: Date;
  /** The number of its first day. */
  first: number;
}

export interface Days {
  names: string[];
  /** Of the field that holds the instant. */
  numberOf(field: string): object | number;
}

/** All days that hold an instant from `from` to `to`. */
export function daysBetween(from: Date, to: Date, zone: string): Days {
  const names: string[] = [];
  const runs: Run[] = [];
  for (let day = dayOf(from, zone); day.start <= to; day = dayOf(day.end, zone)) {
    const last = runs.at(-1);
    const whole = day.end.getTime() - day.start.getTime() === DAY;
    const lastWhole = last && (last.end.getTime() - last.start.getTime()) % DAY === 0;
    if (last && whole && lastWhole) last.end = day.end;
    else runs.push({ ...day, first: names.length });
    names.push(dayName(day.start, zone));
  }
  return { names, numberOf: (field) => expressionOf(runs, field) };
}

function expressionOf(runs: Run[], field: string): object | number {
  const number = ({ start, end, first }: Run) => {
    if ((end.getTime() - start.getTime()) % DAY !== 0) return { $literal: first };
    return { $add: [first, { $floor: { $divide: [{ $subtract: [field, start] }, DAY] } }] };
  };
  return runs.reduceRight<object | number>(
    (later, run) => (later === 0 ? number(run) : { $cond: [{ $lt: [field, run.end] }, number(run), later] }),
    0,
  );
}
