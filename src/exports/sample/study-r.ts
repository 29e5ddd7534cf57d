/**
 * study.R: loads the sample into R's package RDS, repeats the service's estimates, and estimates the population size
 * with sspse.
 */
import { columnNames, PLACE_COLUMNS, SEED_MARK } from './sample-table.ts';

export interface CountScript {
  name: string;
  outcome: string;
  value: string;
  known: number;
  low: number;
  high: number;
}

export interface StudyScript {
  outcomes: readonly { name: string; kind: 'CATEGORY' | 'NUMBER'; notAsked: number }[];
  /** What sites are called, by id. */
  sites: ReadonlyMap<string, string>;
  people: number;
  populationSize: number | null;
  /** The outcome that says where people belong; null of a single site. */
  site: string | null;
  /** Population counts of the whole sample. */
  counts: readonly CountScript[];
}

/** Left to itself R would make numbers of codes such as 01, and of ids. */
const CLASSES: Record<(typeof PLACE_COLUMNS)[number], string> = {
  id: 'character',
  'recruiter.id': 'character',
  'network.size': 'numeric',
  wave: 'integer',
  seed: 'character',
  time: 'character',
  'max.coupons': 'integer',
};

export function studyR({ outcomes, sites, people, populationSize, site, counts }: StudyScript): string {
  const names = columnNames(outcomes.map(({ name }) => name));
  const notAsked = outcomes.flatMap((one, at) =>
    one.notAsked > 0 ? [`${JSON.stringify(names[at])} = ${one.notAsked}`] : [],
  );
  const siteColumn = names[outcomes.findIndex(({ name }) => name === site)] ?? null;
  const inNames = counts.flatMap((count) => {
    const column = names[outcomes.findIndex(({ name }) => name === count.outcome)];
    return column === undefined ? [] : [{ ...count, column }];
  });
  const ofKind = (kind: string) => vector(names.filter((_, at) => outcomes[at]!.kind === kind));
  return `# Repeats the study's estimates in R. In the folder of this file:  Rscript study.R
# Of one outcome alone:  Rscript study.R OUTCOME
# Unzip publication.zip into a folder "publication" beside this file, and each published figure is repeated and compared.
# Once:  install.packages(c("survey", "RDS", "sspse"))

# How many people the population has; NA: not known, and what needs it is left out.
${population(people, populationSize)}

categories <- ${ofKind('CATEGORY')}
numbers <- ${ofKind('NUMBER')}

# Where people belong, for the intervals of CHAIN; NA: all at one site.
site <- ${siteColumn === null ? 'NA' : JSON.stringify(siteColumn)}

# Population counts: the people known to have an answer, between which bounds.
counts <- list(${inNames
    .map(
      ({ name, column, value, known, low, high }) =>
        `list(name = ${JSON.stringify(name)}, outcome = ${JSON.stringify(column)}, value = ${JSON.stringify(value)}, known = ${known}, low = ${low}, high = ${high})`,
    )
    .join(',\n  ')})

# How many people each outcome was not asked, because their version of the questionnaire doesn't have it.
not.asked <- c(${notAsked.join(', ')})

# Only an empty cell is missing: NA, where it stands, is an answer. Codes stay as they are written.
classes <- c(${PLACE_COLUMNS.map((name) => `${name} = "${CLASSES[name]}"`).join(', ')},
  setNames(rep("character", length(categories)), categories), setNames(rep("numeric", length(numbers)), numbers))
answers <- read.csv("rds.csv", check.names = FALSE, na.strings = "", encoding = "UTF-8", colClasses = classes)

options(width = 140)
wanted <- commandArgs(trailingOnly = TRUE)
unknown <- setdiff(wanted, c(categories, numbers))
if (length(unknown) > 0) {
  message("There is no outcome ", paste(unknown, collapse = ", "), ". There are: ", paste(c(categories, numbers), collapse = ", "))
  quit(status = 1)
}
answered <- function(names) Filter(function(name) (length(wanted) == 0 || name %in% wanted) && any(!is.na(answers[[name]])), names)
categories <- answered(categories)
numbers <- answered(numbers)

# Sites by their names.
sites <- c(${[...sites].map(([id, name]) => `"${id}" = ${JSON.stringify(name)}`).join(', ')})
named <- function(name, levels) {
  if (name != "location") return(levels)
  ifelse(is.na(sites[levels]), levels, sites[levels])
}

tell <- function(title, make) {
  cat("\n==", title, "==\n")
  tryCatch(print(make()), error = function(problem) cat("no estimate:", conditionMessage(problem), "\n"))
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
  made <- colSums(replicates[known, , drop = FALSE] * y[known]) / colSums(replicates[known, , drop = FALSE])
  if (bySurvey) {
    design$variables$y <- y
    found <- survey::svymean(~y, design, na.rm = TRUE)
    figures <- c(coef(found), survey::SE(found))
  } else figures <- c(weighted.mean(y[known], weights$rds_ii_weight[known]), sd(made, na.rm = TRUE))
  # Replicates that are all alike tell nothing of the error.
  if (diff(range(made, na.rm = TRUE)) <= 1e-9 * abs(figures[1])) return(c(figures[1], NA, NA, NA))
  c(figures, quantile(made, c(0.025, 0.975), na.rm = TRUE))
}

# Beside each figure the service's own, as it stood when the files were made.
compared <- function(name) {
  y <- answers[[name]]
  levels <- if (name %in% categories) sort(unique(y[!is.na(y)])) else NA
  made <- t(vapply(levels, function(level) meanOf(if (is.na(level)) y else as.numeric(y == level)), numeric(4)))
  mine <- service[service$outcome == name, ]
  mine <- mine[match(levels, mine$level), ]
  table <- data.frame(made, mine$rds_ii, mine$standard_error, mine$low, mine$high)
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
  made <- replicate(times, rdsII(y, sizes * exp(sigma * rnorm(length(sizes)))))
  quantile(made, c(0.025, 0.975), na.rm = TRUE)
}
visibility <- NULL
sensitivity <- function(name) {
  y.all <- answers[[name]]
  levels <- if (name %in% categories) sort(unique(y.all[!is.na(y.all)])) else NA
  made <- t(vapply(levels, function(level) {
    y <- if (is.na(level)) y.all else as.numeric(y.all == level)
    trimmed <- vapply(c(0.9, 0.95, 0.99), function(at) rdsII(y, pmin(sizes, quantile(sizes, at))), numeric(1))
    later <- vapply(1:3, function(wave) rdsII(y, sizes, answers$wave >= wave), numeric(1))
    imputed <- if (is.null(visibility)) NA else rdsII(y, visibility)
    c(rdsII(y, sizes), misreported(y, 0.3), misreported(y, 0.6), trimmed, imputed, later)
  }, numeric(12)))
  colnames(made) <- c("RDS-II", "0.3 low", "0.3 high", "0.6 low", "0.6 high", "trim 90 %", "trim 95 %", "trim 99 %", "visibility", "no seeds", "from wave 2", "from wave 3")
  rownames(made) <- make.unique(if (is.na(levels[1])) "mean" else named(name, levels))
  made
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
/** One below the sample would have the package refuse all that needs it. */
function population(people: number, size: number | null): string {
  if (size === null) return 'population <- NA';
  if (size >= people) return `population <- ${size}`;
  return `# The study says ${size}, fewer than the ${people} in the sample, which cannot be.\npopulation <- NA`;
}

/** An empty one is no text to R. */
const vector = (names: string[]) =>
  names.length === 0 ? 'character(0)' : `c(${names.map((name) => JSON.stringify(name)).join(', ')})`;

/** Repeats a publication, in plain R. */
const PUBLISHED = `# The narrow interval, CHAIN: every place of the chains is filled again with someone whose recruiter had the same answer at the
# same site as the one who now stands at the recruiter's place; a seed's place with anyone. In plain R, and with R's random numbers.
recruiter <- match(answers[["recruiter.id"]], answers$id)
place.wave <- rep(0, nrow(answers))
for (row in order(answers$wave)) if (!is.na(recruiter[row])) place.wave[row] <- place.wave[recruiter[row]] + 1
where <- if (is.na(site)) rep(1, nrow(answers)) else match(answers[[site]], sort(unique(answers[[site]])), nomatch = 0)
groups.of <- function(y) {
  values <- sort(unique(y))
  if (length(values) <= 3) return(match(y, values))
  sorted <- sort(y)
  from <- sorted[1]
  for (k in 1:2) {
    next.one <- sorted[sorted > sorted[ceiling(length(sorted) * k / 3)]]
    if (length(next.one) > 0 && next.one[1] > max(from)) from <- c(from, next.one[1])
  }
  findInterval(y, from)
}
# Rows drawn, one column a replicate. Classes are NA where the answer is.
chain.draws <- function(classes, B = 1000) {
  known <- which(!is.na(classes))
  recruits <- known[!is.na(recruiter[known])]
  anyone <- if (length(recruits) > 0) recruits else known
  keys <- sort(unique(classes[known]))
  pools <- lapply(keys, function(key) {
    pool <- recruits[!is.na(classes[recruiter[recruits]]) & classes[recruiter[recruits]] == key]
    if (length(pool) > 0) pool else anyone
  })
  first <- cumsum(c(0, lengths(pools)))
  rows <- unlist(pools)
  class.of <- match(classes, keys)
  drawn <- matrix(0L, nrow(answers), B)
  for (wave in 0:max(place.wave)) {
    at <- which(place.wave == wave)
    if (wave == 0) {
      drawn[at, ] <- known[1 + floor(runif(length(at) * B) * length(known))]
    } else {
      pool <- class.of[drawn[recruiter[at], ]]
      drawn[at, ] <- rows[first[pool] + 1 + floor(runif(length(pool)) * lengths(pools)[pool])]
    }
  }
  drawn
}
# Means of CHAIN's replicates. Of a number, people are in three groups.
chain.means <- function(y, isNumber, B = 1000) {
  classes <- (if (isNumber) groups.of(y) else y) * 1000 + where
  drawn <- chain.draws(classes, B)[!is.na(y), , drop = FALSE]
  w <- 1 / sizes
  colSums(matrix((w * y)[drawn], nrow(drawn))) / colSums(matrix(w[drawn], nrow(drawn)))
}
tree.means <- function(y) {
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
published <- data.frame()
compare <- function(figure, theirs, ours, allowed) {
  if (length(theirs) == 0 || is.na(theirs)) return(invisible())
  agrees <- !is.na(ours) && abs(theirs - ours) <= allowed
  published <<- rbind(published, data.frame(figure, published = theirs, here = ours, allowed, agrees))
}
# Ends of an interval from 1,000 replicates are random: five standard deviations of their difference.
end.error <- function(made) 5 * 2.7 * sd(made) * sqrt(1 / 1000 + 1 / length(made))
slug <- function(name) sub("-$", "", substr(gsub("[^A-Za-z0-9]+", "-", name), 1, 60))
if (dir.exists("publication")) {
  set.seed(1)
  files <- list.files("publication/tables", "^outcome-")
  for (name in c(categories, numbers)) {
    found <- files[sub("^outcome-[0-9]+-(.*)[.]csv$", "\\\\1", files) == slug(name)]
    if (length(found) != 1) next
    told <- read.csv(file.path("publication/tables", found), na.strings = "", encoding = "UTF-8",
      colClasses = c(value = "character", title = "character", note = "character"))
    for (at in seq_len(nrow(told))) {
      one <- told[at, ]
      isNumber <- name %in% numbers
      y <- answers[[name]]
      if (!isNumber) y <- as.numeric(y == one$value)
      about <- function(what) paste(name, if (isNumber) "" else one$value, what)
      compare(about("estimate"), one$estimate, rdsII(y, sizes), 1e-9 * max(1, abs(one$estimate)))
      if (!isNumber) compare(about("homophily"), one$homophily, homophily.of(y), 1e-6)
      if (!is.na(one$chain_low)) {
        made <- chain.means(y, isNumber)
        for (end in c("low", "high"))
          compare(about(paste("CHAIN", end)), one[[paste0("chain_", end)]], unname(quantile(made, if (end == "low") 0.025 else 0.975)), end.error(made))
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
        of.first <- if (one$first == "TREE") tree else made
        effect <- max(1, var(of.first) / (variance / sum(known)))
        compare(about("design effect"), one$design_effect, effect, 5 * sqrt(2 / 1000 + 2 / length(of.first)) * effect)
      }
    }
  }
  totals <- list.files("publication/tables", "^count-")
  for (count in counts) {
    found <- totals[sub("^count-[0-9]+-(.*)[.]csv$", "\\\\1", totals) == slug(count$name)]
    if (length(found) != 1) next
    told <- read.csv(file.path("publication/tables", found), na.strings = "", encoding = "UTF-8", colClasses = c(note = "character"))
    told <- told[told$table %in% "total" & told$of %in% "ADULTS", ]
    y <- as.numeric(answers[[count$outcome]] == count$value)
    method <- told$note
    shares <- if (method %in% "TREE" && hasReplicates) tree.means(y) else chain.means(y, FALSE)
    made <- runif(length(shares), count$low, count$high) / shares
    made <- made[is.finite(made)]
    compare(paste(count$name, "adults"), told$estimate, count$known / rdsII(y, sizes), 0.51)
    for (end in c("low", "high"))
      compare(paste(count$name, "adults,", method, end), told[[end]], max(nrow(answers), unname(quantile(made, if (end == "low") 0.025 else 0.975))), 0.51 + end.error(made))
  }
  cat("\n== Each published figure, and the same in R (allowed: rounding, or five standard deviations of replicates) ==\n")
  print(published, digits = 5, row.names = FALSE)
  cat("\nPublished figures compared: ", nrow(published), ", which differ: ", sum(!published$agrees), "\n", sep = "")
}
`;
