/** What does not change is packed once, not at each request. */
import express from 'express';
import supertest from 'supertest';
import { kept } from '../../src/http/kept.ts';
import { startWorld, type World } from '../people.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const document = (encoding: string) =>
  world.anonymous.get('/documentation/openapi.json').set('Accept-Encoding', encoding);

test('the OpenAPI document is the same in every encoding, and its answers say which', async () => {
  const plain = await document('identity').expect(200);
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const encoding of ['gzip', 'br']) {
    const packed = await document(encoding).expect(200);
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    expect(Number(packed.headers['content-length'])).toBeLessThan(plain.text.length / 5);
    expect(packed.body).toEqual(plain.body);
  }
});

test('however often it is asked for, it is made once', async () => {
  let made = 0;
  const app = express().get(
    '/',
    kept('json', () => JSON.stringify({ made: ++made })),
  );
  for (const encoding of ['br', 'gzip', 'identity', 'br', 'nonsense']) {
    const { body } = await supertest(app).get('/').set('Accept-Encoding', encoding).expect(200);
    expect(body).toEqual({ made: 1 });
  }
});
