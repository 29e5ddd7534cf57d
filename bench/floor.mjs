/** The floor: the least that Node, Express and MongoDB can do for a request. One indexed read, sent as it is. */
import os from 'node:os';
import express from 'express';
import mongoose from 'mongoose';

const { MongoClient, ObjectId } = mongoose.mongo;
const client = new MongoClient(process.env.MONGO_URI, { runtimeAdapters: { os } });
const surveys = client.db().collection('surveys');
await client.connect();

const app = express();
app.get('/surveys/:id', async (req, res) => {
  res.json(await surveys.findOne({ _id: new ObjectId(req.params.id) }));
});
app.listen(Number(process.env.PORT), '127.0.0.1');
