/** A command whose arguments are checked together: it collects what is wrong instead of ending at the first fault. */
import { Command, type ErrorOptions, InvalidArgumentError, type Option } from 'commander';

export class CheckedCommand extends Command {
  readonly faults: string[] = [];

  override createCommand(name?: string): CheckedCommand {
    return new CheckedCommand(name);
  }

  override addOption(option: Option): this {
    const parse = option.parseArg;
    if (parse) {
      option.parseArg = <T>(value: string, previous: T): T => {
        try {
          return parse.call(option, value, previous) as T;
        } catch (error) {
          if (!(error instanceof InvalidArgumentError)) throw error;
          this.faults.push(`option '${option.flags}' argument '${value}' is invalid. ${error.message}`);
          // Given, though wrong: it must not be reported as missing too.
          return value as T;
        }
      };
    }
    return super.addOption(option);
  }

  /** Commander's own faults, and those of a missing or unknown argument. */
  override error(message: string, { code }: ErrorOptions = {}): never {
    const unknown = this.args.filter((argument) => /^--?[a-z]/i.test(argument));
    if (code === 'commander.unknownOption' && unknown.length > 0)
      this.faults.push(...unknown.map((argument) => `unknown option '${argument}'`));
    // Unknown options and their values are counted as arguments too.
    else if (code !== 'commander.excessArguments' || unknown.length === 0)
      this.faults.push(message.replace(/^error: /, ''));
    return undefined as never;
  }
}
