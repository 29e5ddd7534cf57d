/**
 * The floors: the least that Node, Express and MongoDB can do for a request of each kind. The same records are read or
 * written as by the service, with the plain driver, and sent; no token, no rights, no checks, no log, no limits.
 */
import { createHash, randomBytes } from 'node:crypto';
import os from 'node:os';
import { pathToFileURL } from 'node:url';
import express from 'express';
import mongoose from 'mongoose';

/** Codes must be good ones: what the floor issues, the service redeems later. */
const { generateCode } = await import(pathToFileURL(process.env.CODE_MODULE).href);

const { MongoClient, ObjectId } = mongoose.mongo;
const client = new MongoClient(process.env.MONGO_URI, { runtimeAdapters: { os } });
const [surveys, codes, locations, events] = ['surveys', 'referralcodes', 'locations', 'auditevents'].map(
  (name) => client.db().collection(name),
);
await client.connect();
const questionnaire = (await client.db().collection('questionnaires').findOne({ active: true }))._id;

const app = express();
app.set('etag', false); // The service sends none either; it would cost more than the rest of a long list.
app.disable('x-powered-by');

app.get('/surveys/:id', async (req, res) => {
  res.json(await surveys.findOne({ _id: new ObjectId(req.params.id) }));
});

const LIGHT = { responses: 0, requestHash: 0 };

app.get('/surveys', async (req, res) => {
  const { location, from, to, fields } = req.query;
  const here = location && {
    location: new ObjectId(location),
    createdAt: { $gte: new Date(from), $lt: new Date(to) },
  };
  const data = await surveys
    .find({ deletedAt: null, ...here }, fields === 'full' ? {} : { projection: LIGHT })
    .sort({ createdAt: -1, _id: -1 })
    .limit(50)
    .toArray();
  res.json({ data });
});

app.get('/locations', async (_req, res) => {
  const data = await locations
    .find({ deletedAt: null })
    .sort({ name: 1, _id: 1 })
    .collation({ locale: 'en', strength: 2 })
    .toArray();
  res.json({ data });
});

app.get('/codes/:code', async (req, res) => {
  const { code, state } = await codes.findOne({ code: req.params.code });
  res.json({ code, isValid: state === 'LIVE', reason: state, message: 'This coupon is valid.' });
});

const CONCERNS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } };

app.post('/surveys', express.json({ limit: '1mb' }), async (req, res) => {
  const store = () =>
    client.withSession((session) => session.withTransaction(() => write(session, req.body), CONCERNS));
  // One code in thousands is there already: then the whole is done again, as the service does.
  const made = await store().catch((error) => (error.code === 11000 ? store() : Promise.reject(error)));
  res.status(201).json(made);
});

/** Field for field what the service writes: one code taken, the survey, three codes issued, who did it. */
async function write(session, { location: site, createdBy: by, clientId, referralCode, responses }) {
  const now = new Date();
  const [location, createdBy, _id] = [new ObjectId(site), new ObjectId(by), new ObjectId()];
  const taken = await codes.findOneAndUpdate(
    { code: referralCode, redeemedBy: null },
    { $set: { state: 'USED', redeemedBy: _id, redeemedAt: now, daysOut: 0 } },
    { session },
  );
  const place = { chain: taken.chain, wave: taken.wave + 1 };
  const issued = Array.from({ length: 3 }, () => ({
    _id: new ObjectId(),
    code: generateCode(randomBytes),
    state: 'LIVE',
    seed: null,
    survey: _id,
    reservedBy: null,
    batch: null,
    redeemedBy: null,
    redeemedAt: null,
    validFrom: null,
    expiresAt: null,
    voidedAt: null,
    voidReason: null,
    createdAt: now,
    location,
    handedOutAt: now,
    ...place,
  }));
  // Its records are not whole: the validators made from the models would refuse them.
  const plainly = { session, bypassDocumentValidation: true };
  await codes.insertMany(issued, plainly);
  const survey = {
    _id,
    clientId,
    referralCode,
    seed: taken.chain,
    recruiter: taken.survey,
    wave: place.wave,
    issuedCodes: issued.map((one) => one.code),
    questionnaire,
    responses,
    networkSize: responses.networkSize,
    status: 'COMPLETED',
    flags: [],
    coordinates: null,
    location,
    createdBy,
    startedAt: now,
    completedAt: now,
    createdAt: now,
    updatedAt: now,
    version: 1,
    requestHash: createHash('sha256').update(clientId).digest('base64'),
    deletedAt: null,
  };
  await surveys.insertOne(survey, plainly);
  const event = { by: createdBy, action: 'create', subject: 'Survey', record: _id, changes: [] };
  await events.insertOne({ ...event, createdAt: now, _id: new ObjectId() }, plainly);
  return survey;
}

app.listen(Number(process.env.PORT), '127.0.0.1');
