/**
 * What Jest loads a test file with, instead of its sandbox: Node's own loader. The sandbox loads the service and its
 * packages anew for each file, which took seconds of each. A file that says `@jest-environment node` at its head has
 * the sandbox after all, as one needs that puts other globals under a package.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import './register.mjs';

const require = createRequire(import.meta.url);

let files = 0;

export default class NativeRuntime {
  constructor(config, environment, ...more) {
    if (!environment.isNative) {
      const { default: Sandbox } = require('jest-runtime');
      // biome-ignore lint/correctness/noConstructorReturn: Jest takes one kind of runtime for all files
      return new Sandbox(config, environment, ...more);
    }
  }

  async unstable_importModule(path) {
    files += 1;
    return await import(`${pathToFileURL(path)}?file=${files}`);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** The part of Jest that keeps the state of one file's tests. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  getAllCoverageInfoCopy() {}
  setGlobalsForRuntime() {}
  getSourceMaps() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
