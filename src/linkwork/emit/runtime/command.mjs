// What the words of a command line ask for.
function readOptions(words) {
  const options = {};
  const named = { "--set": "parameters", "--control": "controls", "--start": "start", "--rate": "rates" };
  const number = (text) => {
    if (!text?.trim() || !Number.isFinite(Number(text))) throw new RangeError(`this is no number: ${text}`);
    return Number(text);
  };
  for (let i = 0; i < words.length; i += 2) {
    const [option, value = ""] = [words[i], words[i + 1]], [name, text] = value.split("=");
    if (["--until", "--step", "--rtol"].includes(option)) options[option.slice(2)] = number(value);
    else if (option in named) (options[named[option]] ??= {})[name] = number(text);
    else throw new RangeError(`there is no option ${option}`);
  }
  if (options.rtol !== undefined && !(options.rtol > 0 && options.rtol < 1))
    throw new RangeError("a tolerance lies between 0 and 1");
  return options;
}

// Print a row of columns for each time, as CSV. Returns the exit status.
function main(words, print, complain) {
  let found;
  try {
    found = simulate(readOptions(words));
  } catch (problem) {
    if (!(problem instanceof RangeError || problem instanceof Stopped)) throw problem;
    complain(`error: ${problem.message}`);
    return problem instanceof Stopped ? 1 : 2;
  }
  print([columns, ...found.rows].map((each) => each.join(",")).join("\n"));
  if (!found.accurate)
    complain(`the accuracy was not reached: runs with tighter tolerance differ by ${found.error}`);
  if (found.stiff)
    complain("the system is stiff: explicit steps are slow; the program in C has implicit ones");
  if (found.why) complain(found.why);
  return found.accurate && found.complete ? 0 : 1;
}

if (typeof process !== "undefined" && process.argv?.[1]) {
  const [{ realpathSync }, { pathToFileURL }] = await Promise.all([import("node:fs"), import("node:url")]);
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href)
    process.exitCode = main(process.argv.slice(2), console.log, console.error);
}
