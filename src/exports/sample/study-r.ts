/**
 * study.R: loads the sample into R's package RDS, repeats the service's estimates, and estimates the population size
 * with sspse.
 */
import { SEED_MARK, TREE_COLUMNS, uniqueColumnNames } from './sample-table.ts';

export interface CountForScript {
  id: string;
  name: string;
  outcome: string;
  value: string;
  known: number;
  low: number;
  high: number;
}

export interface StudyScriptInput {
  outcomes: readonly { name: string; kind: 'CATEGORY' | 'NUMBER'; notAsked: number }[];
  /** Names of sites, by id. */
  sites: ReadonlyMap<string, string>;
  people: number;
  populationSize: number | null;
  /** The outcome with people's sites; null for a single site. */
  site: string | null;
  /** Population counts of the whole sample. */
  counts: readonly CountForScript[];
}

/** Column classes, because R would otherwise convert codes such as 01, and ids, to numbers. */
const CLASSES: Record<(typeof TREE_COLUMNS)[number], string> = {
  id: 'character',
  'recruiter.id': 'character',
  'network.size': 'numeric',
  wave: 'integer',
  seed: 'character',
  time: 'character',
  'max.coupons': 'integer',
};

/** Reads rds.csv as `answers`, with the names of its `categories` and `numbers` and of the `site` column. */
export function columnsR({ outcomes, site }: Pick<StudyScriptInput, 'outcomes' | 'site'>): string {
  const names = uniqueColumnNames(outcomes.map(({ name }) => name));
  const siteColumn = names[outcomes.findIndex(({ name }) => name === site)] ?? null;
  const ofKind = (kind: string) => vector(names.filter((_, at) => outcomes[at]!.kind === kind));
  return `categories <- ${ofKind('CATEGORY')}
numbers <- ${ofKind('NUMBER')}

# Where people belong, for the intervals of CHAIN; NA: all at one site.
site <- ${siteColumn === null ? 'NA' : JSON.stringify(siteColumn)}

# Only an empty cell is missing: NA, where it stands, is an answer. Codes stay as they are written.
classes <- c(${TREE_COLUMNS.map((name) => `${name} = "${CLASSES[name]}"`).join(', ')},
  setNames(rep("character", length(categories)), categories), setNames(rep("numeric", length(numbers)), numbers))
answers <- read.csv("rds.csv", check.names = FALSE, na.strings = "", encoding = "UTF-8", colClasses = classes)`;
}

export function studyR(script: StudyScriptInput): string {
  const { outcomes, sites, people, populationSize, counts } = script;
  const names = uniqueColumnNames(outcomes.map(({ name }) => name));
  const notAsked = outcomes.flatMap((one, at) =>
    one.notAsked > 0 ? [`${JSON.stringify(names[at])} = ${one.notAsked}`] : [],
  );
  const inNames = counts.flatMap((count) => {
    const column = names[outcomes.findIndex(({ name }) => name === count.outcome)];
    return column === undefined ? [] : [{ ...count, column }];
  });
  const renamed = outcomes.flatMap(({ name }, at) =>
    name === names[at] ? [] : [`${JSON.stringify(name)} = ${JSON.stringify(names[at])}`],
  );
  return `# Repeats the study's estimates in R. In the folder of this file:  Rscript study.R
# Of one outcome alone:  Rscript study.R OUTCOME
# Unzip publication.zip into a folder "publication" beside this file, and each published figure is repeated and compared.
# Once:  install.packages(c("survey", "RDS", "sspse"))

# How many people the population has; NA: not known, and what needs it is left out.
${population(people, populationSize)}

${columnsR(script)}

# Columns that are not called as their question.
renamed <- c(${renamed.join(', ')})

# Population counts: the people known to have an answer, between which bounds.
counts <- list(${inNames
    .map(
      ({ id, name, column, value, known, low, high }) =>
        `list(id = "${id}", name = ${JSON.stringify(name)}, outcome = ${JSON.stringify(column)}, value = ${JSON.stringify(value)}, known = ${known}, low = ${low}, high = ${high})`,
    )
    .join(',\n  ')})

# How many people each outcome was not asked, because their version of the questionnaire doesn't have it.
not.asked <- c(${notAsked.join(', ')})

options(width = 140)
wanted.outcomes <- commandArgs(trailingOnly = TRUE)
unknown <- setdiff(wanted.outcomes, c(categories, numbers))
if (length(unknown) > 0) {
  message("There is no outcome ", paste(unknown, collapse = ", "), ". There are: ", paste(c(categories, numbers), collapse = ", "))
  quit(status = 1)
}
answered <- function(names) Filter(function(name) (length(wanted.outcomes) == 0 || name %in% wanted.outcomes) && any(!is.na(answers[[name]])), names)
categories <- answered(categories)
numbers <- answered(numbers)

# Sites by their names.
sites <- c(${[...sites].map(([id, name]) => `"${id}" = ${JSON.stringify(name)}`).join(', ')})
named <- function(name, levels) {
  if (name != "location") return(levels)
  ifelse(is.na(sites[levels]), levels, sites[levels])
}

tell <- function(title, calculate) {
  cat("\n==", title, "==\n")
  warned <- c()
  heard <- function(warning) {
    warned <<- c(warned, conditionMessage(warning))
    invokeRestart("muffleWarning")
  }
  tryCatch(withCallingHandlers(print(calculate()), warning = heard), error = function(problem) cat("no estimate:", conditionMessage(problem), "\n"))
  for (text in unique(warned)) cat("note: ", text, if (sum(warned == text) > 1) paste0(" (", sum(warned == text), " times)"), "\n", sep = "")
}

# RDS-II weights (1 / network size; sizes that are missing or 0 count as the largest one), and the replicate weights of the
# tree bootstrap: how often a replicate drew the interview, times its weight.
weights <- read.csv("weights.csv", colClasses = c(id = "character"))
weights <- weights[match(answers$id, weights$id), ]
replicates <- as.matrix(weights[grep("^rep_[0-9]+$", names(weights))])
service <- read.csv("estimates.csv", na.strings = "", encoding = "UTF-8", colClasses = c(outcome = "character", level = "character"))

# A very large sample has no replicate weights: its intervals are in estimates.csv.
hasReplicates <- ncol(replicates) > 0
bySurvey <- hasReplicates && requireNamespace("survey", quietly = TRUE)
if (bySurvey) {
  # With this scale the standard error is the standard deviation of the replicates.
  design <- survey::svrepdesign(data = weights, weights = ~rds_ii_weight, repweights = "^rep_[0-9]+$", type = "other",
    combined.weights = TRUE, scale = 1 / (ncol(replicates) - 1), rscales = rep(1, ncol(replicates)), mse = FALSE)
} else if (hasReplicates) message('The package survey is not installed, so plain R is used. To install it: install.packages("survey")')

# The mean of a number, or the share of a level as the mean of 0 and 1: estimate, standard error, and each replicate's mean.
meanOf <- function(y) {
  known <- !is.na(y)
  if (!hasReplicates) return(c(weighted.mean(y[known], weights$rds_ii_weight[known]), NA, NA, NA))
  means <- colSums(replicates[known, , drop = FALSE] * y[known]) / colSums(replicates[known, , drop = FALSE])
  if (bySurvey) {
    design$variables$y <- y
    mean.of.survey <- survey::svymean(~y, design, na.rm = TRUE)
    figures <- c(coef(mean.of.survey), survey::SE(mean.of.survey))
  } else figures <- c(weighted.mean(y[known], weights$rds_ii_weight[known]), sd(means, na.rm = TRUE))
  # Replicates that are all alike tell nothing of the error.
  if (diff(range(means, na.rm = TRUE)) <= 1e-9 * abs(figures[1])) return(c(figures[1], NA, NA, NA))
  c(figures, quantile(means, c(0.025, 0.975), na.rm = TRUE))
}

# Beside each figure the service's own, as it stood when the files were made.
compared <- function(name) {
  y <- answers[[name]]
  levels <- if (name %in% categories) sort(unique(y[!is.na(y)])) else NA
  estimated <- t(vapply(levels, function(level) meanOf(if (is.na(level)) y else as.numeric(y == level)), numeric(4)))
  mine <- service[service$outcome == name, ]
  mine <- mine[match(levels, mine$level), ]
  table <- data.frame(estimated, mine$rds_ii, mine$standard_error, mine$low, mine$high)
  names(table) <- c("estimate", "SE", "low", "high", "service", "service.SE", "service.low", "service.high")
  rownames(table) <- make.unique(if (is.na(levels[1])) "mean" else named(name, levels))
  table
}
apart <- 0
# Empty cells are of people who gave no answer (missing) and of those who were not asked.
for (name in c(categories, numbers)) {
  answered.by <- sum(!is.na(answers[[name]]))
  unasked <- if (name %in% names(not.asked)) not.asked[[name]] else 0
  cat("\n", name, ": ", answered.by, " answered, ", nrow(answers) - answered.by - unasked, " missing, ", unasked, " not asked\n", sep = "")
  tell(paste("RDS-II with 95 % interval of the tree bootstrap:", name), function() {
    table <- compared(name)
    apart <<- max(apart, abs(table$estimate - table$service), abs(table$SE - table$service.SE), na.rm = TRUE)
    table
  })
}
cat("\nLargest difference from the service, of estimates and standard errors:", format(apart, digits = 2), "\n")

# Sensitivity: RDS-II of each level if sizes were other than people said, and without seeds and first waves.
sizes <- answers[["network.size"]]
sizes[is.na(sizes) | sizes == 0] <- max(sizes, 1, na.rm = TRUE)
rdsII <- function(y, d, keep = rep(TRUE, length(y))) {
  known <- keep & !is.na(y)
  if (!any(known)) return(NA)
  weighted.mean(y[known], 1 / d[known])
}
misreported <- function(y, sigma, times = 200) {
  means <- replicate(times, rdsII(y, sizes * exp(sigma * rnorm(length(sizes)))))
  quantile(means, c(0.025, 0.975), na.rm = TRUE)
}
visibility <- NULL
sensitivity <- function(name) {
  y.all <- answers[[name]]
  levels <- if (name %in% categories) sort(unique(y.all[!is.na(y.all)])) else NA
  table <- t(vapply(levels, function(level) {
    y <- if (is.na(level)) y.all else as.numeric(y.all == level)
    trimmed <- vapply(c(0.9, 0.95, 0.99), function(at) rdsII(y, pmin(sizes, quantile(sizes, at))), numeric(1))
    later <- vapply(1:3, function(wave) rdsII(y, sizes, answers$wave >= wave), numeric(1))
    imputed <- if (is.null(visibility)) NA else rdsII(y, visibility)
    c(rdsII(y, sizes), misreported(y, 0.3), misreported(y, 0.6), trimmed, imputed, later)
  }, numeric(12)))
  colnames(table) <- c("RDS-II", "0.3 low", "0.3 high", "0.6 low", "0.6 high", "trim 90 %", "trim 95 %", "trim 99 %", "visibility", "no seeds", "from wave 2", "from wave 3")
  rownames(table) <- make.unique(if (is.na(levels[1])) "mean" else named(name, levels))
  table
}
set.seed(1)
# Sizes that each person sees of themselves and others, modelled by the package RDS.
if (requireNamespace("RDS", quietly = TRUE)) {
  visibility <- tryCatch({
    frame <- RDS::as.rds.data.frame(answers, id = "id", recruiter.id = "recruiter.id", network.size = "network.size", time = "time",
      max.coupons = max(1, answers[["max.coupons"]], na.rm = TRUE))
    imputed <- RDS::impute.visibility(frame, type.impute = "median")
    as.numeric(if (is.list(imputed)) imputed$visibility else imputed)
  }, error = function(problem) { cat("no imputed visibility:", conditionMessage(problem), "\n"); NULL })
  if (length(visibility) != nrow(answers)) visibility <- NULL
}
for (name in c(categories, numbers))
  tell(paste("Sensitivity to sizes (times a lognormal factor of this sigma; trimmed; imputed), seeds and first waves:", name), function() sensitivity(name))

# Replicates of CHAIN, and designs of the package survey that have them.
source("chain.R")
# For each answer of one outcome alone: Rscript study.R OUTCOME
if (bySurvey && length(wanted.outcomes) > 0) for (name in c(categories, numbers))
  tell(paste("RDS-II with 95 % interval of CHAIN, by the package survey:", name), function() chain.table(name))

${PUBLISHED}
# A regression with the replicate weights: each category of two levels by the category before it.
if (bySurvey) for (at in seq_along(categories)[-1]) {
  name <- categories[at]
  by <- categories[at - 1]
  y <- answers[[name]]
  if (length(unique(y[!is.na(y)])) != 2 || !(length(unique(answers[[by]])) %in% 2:12)) next
  tell(paste("Logistic regression (svyglm):", name, "by", by), function() {
    design$variables$y <- as.numeric(y == max(y, na.rm = TRUE))
    design$variables$x <- factor(answers[[by]])
    summary(survey::svyglm(y ~ x, design = design, family = quasibinomial(), na.action = na.omit))$coefficients
  })
}

# The package RDS below knows sites by their names too.
if ("location" %in% categories) answers$location <- unname(named("location", answers$location))

if (!requireNamespace("RDS", quietly = TRUE)) {
  message("The package RDS is not installed: RDS-I, Gile's SS, homophily and intervals are left out.")
  quit(status = 0)
}
library(RDS)

# Seeds have the recruiter "${SEED_MARK}". Sizes that are missing or 0 count as the largest one, as in the service.
people <- as.rds.data.frame(answers, id = "id", recruiter.id = "recruiter.id", network.size = "network.size",
  time = "time", population.size = if (is.na(population)) NULL else population,
  max.coupons = max(1, answers[["max.coupons"]], na.rm = TRUE))
print(table(wave = get.wave(people)))

# RDS-I of a number goes by three groups of about equal size, as in the service.
for (name in c(categories, numbers)) {
  tell(paste("RDS-I:", name), function() RDS.I.estimates(rds.data = people, outcome.variable = name))
  tell(paste("RDS-II by the package:", name), function() RDS.II.estimates(rds.data = people, outcome.variable = name))
  if (!is.na(population)) {
    tell(paste("Gile's SS:", name), function()
      RDS.SS.estimates(rds.data = people, outcome.variable = name, N = population))
  }
}
for (name in categories) {
  tell(paste("Recruitment homophily:", name), function()
    homophily.estimates(rds.data = people, outcome.variable = name, recruitment = TRUE))
}

# Intervals of Gile's SS. The service shows those of the tree bootstrap first, which are wider and hold where these do not.
if (!is.na(population)) {
  set.seed(1)
  for (name in categories) {
    tell(paste("Gile's SS with interval:", name), function()
      RDS.bootstrap.intervals(people, outcome.variable = name, weight.type = "Gile's SS", uncertainty = "Gile",
        N = population, number.of.bootstrap.samples = 1000))
  }
}

# The population's size from the order in which network sizes came (SS-PSE), before which something must be believed:
# here that it is about the size above, or else five times the sample. It takes some minutes a belief.
if (requireNamespace("sspse", quietly = TRUE)) {
  believed <- if (is.na(population)) 5 * nrow(answers) else population
  # With half and twice of it too: what changes with the belief is not in the data.
  for (prior in round(believed * c(0.5, 1, 2))) if (prior > nrow(answers))
    tell(paste("SS-PSE, believed before:", prior), function()
      summary(sspse::posteriorsize(people, median.prior.size = prior)))
}
`;
}
/** NA if the size is below the sample's, because the package would refuse everything that needs it. */
function population(people: number, size: number | null): string {
  if (size === null) return 'population <- NA';
  if (size >= people) return `population <- ${size}`;
  return `# The study says ${size}, fewer than the ${people} in the sample, which cannot be.\npopulation <- NA`;
}

/** An R character vector, which needs a special form if it is empty. */
const vector = (names: string[]) =>
  names.length === 0 ? 'character(0)' : `c(${names.map((name) => JSON.stringify(name)).join(', ')})`;

/** Repeats a publication's results in plain R. */
const PUBLISHED = `tree.means <- function(y) {
  known <- !is.na(y)
  colSums(replicates[known, , drop = FALSE] * y[known]) / colSums(replicates[known, , drop = FALSE])
}
homophily.of <- function(y) {
  own <- split(seq_along(recruiter), recruiter)
  rows <- as.integer(names(own))
  whole <- vapply(own, function(r) !any(is.na(y[r])), TRUE)
  rows <- rows[whole]
  across <- vapply(own[whole], function(r) mean(y[r]), 0)
  across <- ifelse(y[rows] == 1, 1 - across, across)
  w <- 1 / sizes[rows]
  mean.of <- function(x, keep) sum(w[keep] * x[keep]) / sum(w[keep])
  known <- !is.na(y[rows])
  mine <- known & y[rows] == 1
  p <- sum(w[mine]) / sum(w[known])
  2 * p * (1 - p) * mean.of(sizes[rows], known & !mine) * mean.of(sizes[rows], mine) /
    (mean.of(sizes[rows] * across, known) * mean.of(sizes[rows], rep(TRUE, length(rows))))
}
recruitment.homophily <- function(y) {
  levels <- sort(unique(y[!is.na(y)]))
  pairs <- which(!is.na(recruiter))
  ties <- table(factor(y[recruiter[pairs]], levels), factor(y[pairs], levels))
  sum(diag(ties)) * sum(ties) / sum(rowSums(ties) * colSums(ties))
}
published <- data.frame()
compare <- function(figure, theirs, ours, allowed) {
  if (length(theirs) == 0 || is.na(theirs)) return(invisible())
  agrees <- !is.na(ours) && abs(theirs - ours) <= allowed
  published <<- rbind(published, data.frame(figure, published = theirs, here = ours, allowed, agrees))
}
# Ends of an interval from 1,000 replicates are random: five standard deviations of their difference.
end.error <- function(values) 5 * 2.7 * sd(values) * sqrt(1 / 1000 + 1 / length(values))

# Persons, households and cells of a count. Each respondent stands for 1 / adults of the household (weight-share method).
cells <- if (file.exists("cells.csv")) read.csv("cells.csv", na.strings = "", encoding = "UTF-8", colClasses = "character")
cells <- cells[match(answers$id, cells$id), , drop = FALSE]
household <- function(name) if (is.null(cells[[name]])) NULL else as.numeric(cells[[name]])
adults <- household("household_adults")
children <- household("household_children")
per.adult <- list(ADULTS = rep(1, nrow(answers)), PERSONS = if (!is.null(adults)) 1 + children / adults,
  HOUSEHOLDS = if (!is.null(adults)) 1 / adults)
# What each respondent stands for in a cell: 0 if not in it, NA if that is not known.
stands.for <- function(table, of, cell) {
  if (cell %in% "under18" && of == "PERSONS") return(children / adults)
  under.6 <- household("household_children_under_6")
  if (cell %in% "under6" && of == "PERSONS") return(under.6 / adults)
  if (cell %in% "6to17" && of == "PERSONS") return((children - under.6) / adults)
  if (table == "householdType") return(((children > 0) == (cell == "withChildren")) * per.adult[[of]])
  own <- as.numeric(cells[[table]] == cell)
  if (!is.null(adults)) own[is.na(adults)] <- NA
  if (of == "HOUSEHOLDS") own * per.adult$HOUSEHOLDS else own
}
is.shared <- function(table, cell) table == "householdType" || cell %in% c("under6", "6to17", "under18")
# How many different persons or households the interviews prove: shares added up, or whole for the first one interviewed of each.
least.of <- function(x, shared) {
  wholes <- if (shared) sum((x * adults)[household("household_first") %in% 1], na.rm = TRUE) else 0
  ceiling(max(sum(x, na.rm = TRUE), wholes) - 1e-9)
}
# Whole numbers that add up to the total by largest remainders, none below what interviews prove while there is room.
rounded.to <- function(x, total, least) {
  if (sum(x) <= 0) x <- 0 * x else {
    x <- x / sum(x) * total
    if (sum(least) <= total) {
      fixed <- rep(FALSE, length(x))
      repeat {
        room <- total - sum(least[fixed])
        scaled <- ifelse(fixed, least, if (sum(x[!fixed]) > 0) x / sum(x[!fixed]) * room else 0)
        below <- which(!fixed & scaled < least)
        if (length(below) == 0) break
        fixed[below[1]] <- TRUE
      }
      x <- scaled
    }
  }
  down <- floor(x)
  more <- head(order(-(x - down), -x, seq_along(x)), max(0, total - sum(down)))
  down[more] <- down[more] + 1
  down
}
# Sums of weights times x in each replicate, as functions of x.
sums.of.tree <- function(x) colSums(replicates * ifelse(is.na(x), 0, x))
sums.of.chain <- function(classes, y) {
  drawn <- chain.draws(classes)[!is.na(y), , drop = FALSE]
  function(x) colSums(matrix(ifelse(is.na(x), 0, x / sizes)[drawn], nrow(drawn)))
}
end.of <- function(values, end) {
  values <- pmin(values[!is.nan(values)], .Machine$double.xmax / 4)
  unname(quantile(values, if (end == "low") 0.025 else 0.975))
}
finite <- function(values) values[is.finite(values)]
repeat.count <- function(count, table.rows) {
  y <- as.numeric(answers[[count$outcome]] == count$value)
  total.rows <- table.rows[table.rows$table %in% "total", ]
  method <- total.rows$note[1]
  if (method %in% "TREE" && !hasReplicates) method <- NA
  sums <- if (method %in% "TREE") sums.of.tree else sums.of.chain(y * 1000 + where, y)
  known <- function(x) as.numeric(!is.na(x))
  mean.of <- function(x) sum(x / sizes, na.rm = TRUE) / sum(known(x) / sizes)
  number <- count$known / rdsII(y, sizes)
  # How many adults each replicate has, and what it makes of a mean per adult.
  adults.by <- function(sums) {
    answered <- sums(known(y))
    runif(length(answered), count$low, count$high) * answered / sums(y)
  }
  whole <- function(sums, by, of) by * sums(per.adult[[of]]) / sums(known(per.adult[[of]]))
  by <- adults.by(sums)
  share <- sums(y) / sums(known(y))
  p <- rdsII(y, sizes)
  effect <- var(finite(share)) / (p * (1 - p) / sum(known(y)))
  if (!is.finite(effect) || effect == 0) effect <- 1
  highs <- list()
  for (at in seq_len(nrow(total.rows))) {
    one <- total.rows[at, ]
    x <- per.adult[[one$of]]
    if (is.null(x) || is.na(one$estimate)) next
    replicate.totals <- whole(sums, by, one$of)
    least <- if (one$of == "ADULTS") nrow(answers) else max(least.of(x, TRUE), if (one$of == "PERSONS") nrow(answers))
    figure <- number * mean.of(x)
    about <- paste(count$name, tolower(one$of))
    compare(about, one$estimate, figure, 0.51)
    high <- max(end.of(replicate.totals, "high"), figure)
    highs[[one$of]] <- list(high = high, error = end.error(finite(replicate.totals)), total = round(figure))
    if (is.na(method)) next
    compare(paste(about, method, "low"), one$low, min(max(end.of(replicate.totals, "low"), least), figure), 0.51 + end.error(finite(replicate.totals)))
    compare(paste(about, method, "high"), one$high, high, 0.51 + end.error(finite(replicate.totals)))
  }
  rows <- table.rows[table.rows$of %in% names(highs) & !(table.rows$table %in% "total"), ]
  for (at in unique(paste(rows$table, rows$of))) {
    own <- rows[paste(rows$table, rows$of) == at, ]
    table <- own$table[1]
    of <- own$of[1]
    top <- highs[[of]]
    xs <- lapply(own$cell, function(cell) stands.for(table, of, cell))
    inside <- Reduce(function(so.far, x) so.far & !is.na(x), xs, rep(TRUE, nrow(answers)))
    all.cells <- ifelse(inside, Reduce("+", xs), 0)
    least <- mapply(function(x, cell) least.of(x, is.shared(table, cell)), xs, own$cell)
    parts <- vapply(xs, function(x) sum(ifelse(inside, x, 0) / sizes), 0) / sum(all.cells / sizes)
    whole.numbers <- rounded.to(parts * number * mean.of(per.adult[[of]]), top$total, least)
    for (row in seq_len(nrow(own))) {
      one <- own[row, ]
      x <- xs[[row]]
      about <- paste0(count$name, ", ", tolower(of), ", ", table, " ", one$cell)
      estimate <- whole.numbers[row]
      compare(about, one$estimate, estimate, 1)
      if (is.na(method)) next
      ends <- if (any(x > 0, na.rm = TRUE)) {
        # Recruitment may depend on the cell too: draws of its own, except in very large samples.
        member <- as.numeric(!is.na(x) & x > 0)
        along <- if (method == "CHAIN" && 1000 * nrow(answers) <= 1e7) sums.of.chain((2 * y + member) * 1000 + where, y) else sums
        part <- along(ifelse(inside, x, 0))
        replicate.cells <- ifelse(part == 0, 0, whole(along, adults.by(along), of) * part / along(all.cells))
        error <- end.error(finite(replicate.cells))
        c(end.of(replicate.cells, "low"), end.of(replicate.cells, "high"))
      } else {
        error <- top$high * 3 * effect / sum(known(y)) * (top$error / top$high + 5 * sqrt(2 / 1000 + 2 / length(share)))
        c(0, top$high * 3 * effect / sum(known(y)))
      }
      compare(paste(about, method, "low"), one$low, min(max(ends[1], least[row]), estimate), 1 + if (any(x > 0, na.rm = TRUE)) error else 0)
      capped <- ends[2] > top$high
      compare(paste(about, method, "high"), one$high, max(min(ends[2], top$high), estimate), 1 + if (capped) max(error, top$error) else error)
    }
  }
}
column.of <- function(name) if (name %in% names(renamed)) renamed[[name]] else name
if (dir.exists("publication")) {
  set.seed(1)
  index <- read.csv("publication/tables/index.csv", na.strings = "", encoding = "UTF-8", colClasses = "character")
  index$repeated <- FALSE
  sampled <- read.csv("publication/tables/sample.csv")
  ours <- c(people = nrow(answers), seeds = sum(is.na(recruiter)), waves = max(answers$wave))
  for (row in seq_len(nrow(sampled))) compare(sampled$figure[row], sampled$value[row], ours[[sampled$figure[row]]], 0)
  for (entry in which(index$kind == "outcome")) {
    name <- column.of(index$name[entry])
    if (!(name %in% c(categories, numbers))) next
    index$repeated[entry] <- TRUE
    file <- index$file[entry]
    of.index <- function(figure) as.numeric(index[[figure]][entry])
    answered.by <- sum(!is.na(answers[[name]]))
    unasked <- if (name %in% names(not.asked)) not.asked[[name]] else 0
    compare(paste(name, "answered"), of.index("answered"), answered.by, 0)
    compare(paste(name, "missing"), of.index("missing"), nrow(answers) - answered.by - unasked, 0)
    if (name %in% categories) compare(paste(name, "recruitment homophily"), of.index("recruitment_homophily"), recruitment.homophily(answers[[name]]), 1e-6)
    table.rows <- read.csv(file.path("publication/tables", file), na.strings = "", encoding = "UTF-8",
      colClasses = c(value = "character", title = "character", note = "character"))
    for (at in seq_len(nrow(table.rows))) {
      one <- table.rows[at, ]
      isNumber <- name %in% numbers
      y <- answers[[name]]
      if (!isNumber) y <- as.numeric(y == one$value)
      about <- function(what) paste(name, if (isNumber) "" else one$value, what)
      compare(about("estimate"), one$estimate, rdsII(y, sizes), 1e-9 * max(1, abs(one$estimate)))
      if (!isNumber) compare(about("homophily"), one$homophily, homophily.of(y), 1e-6)
      if (!is.na(one$chain_low)) {
        chain <- chain.means(y, isNumber)
        for (end in c("low", "high"))
          compare(about(paste("CHAIN", end)), one[[paste0("chain_", end)]], unname(quantile(chain, if (end == "low") 0.025 else 0.975)), end.error(chain))
      }
      if (hasReplicates && !is.na(one$tree_low)) {
        tree <- tree.means(y)
        tree <- tree[!is.na(tree)]
        for (end in c("low", "high"))
          compare(about(paste("TREE", end)), one[[paste0("tree_", end)]], unname(quantile(tree, if (end == "low") 0.025 else 0.975)), end.error(tree))
      }
      # The design effect is that of the interval that comes first, and at least 1.
      if (!is.na(one$design_effect) && one$first %in% (if (hasReplicates) c("CHAIN", "TREE") else "CHAIN")) {
        known <- !is.na(y)
        variance <- sum((1 / sizes[known]) * (y[known] - rdsII(y, sizes))^2) / sum(1 / sizes[known])
        of.first <- if (one$first == "TREE") tree else chain
        effect <- max(1, var(of.first) / (variance / sum(known)))
        compare(about("design effect"), one$design_effect, effect, 5 * sqrt(2 / 1000 + 2 / length(of.first)) * effect)
      }
    }
  }
  for (count in counts) {
    entry <- which(index$kind == "count" & index$id %in% count$id)
    if (length(entry) != 1 || !(count$outcome %in% categories)) next
    index$repeated[entry] <- TRUE
    table.rows <- read.csv(file.path("publication/tables", index$file[entry]), na.strings = "", encoding = "UTF-8",
      colClasses = c(cell = "character", title = "character", note = "character"))
    repeat.count(count, table.rows)
  }
  cat("\n== Each published figure, and the same in R (allowed: rounding, or five standard deviations of replicates) ==\n")
  print(published, digits = 5, row.names = FALSE)
  cat("\nPublished figures compared: ", nrow(published), ", which differ: ", sum(!published$agrees), "\n", sep = "")
  if (any(!index$repeated)) cat("Published, but not repeated here:", paste(index$name[!index$repeated], collapse = ", "), "\n")
}
`;
