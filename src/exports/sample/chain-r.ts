/**
 * chain.R: CHAIN replicate weights for R's package survey. They depend on the outcome, because CHAIN resamples within
 * classes of answer and site, so R draws them on request for each outcome. As files, those of all outcomes would be a
 * hundred times as large as weights.csv.
 */
import { columnsR, type StudyScriptInput } from './study-r.ts';

export const chainWeightsScript = (
  script: StudyScriptInput,
): string => `# Replicate weights of CHAIN, the narrow interval, for R's package survey. In R, in the folder of this file:
#   source("chain.R")
#   design <- chain.design("veteran", "yes")          # a number has no level: chain.design("householdAdults")
#   survey::svymean(~y, design, na.rm = TRUE)         # y is 1 for the level and 0 for others
#   chain.interval("veteran", "yes")                  # estimate, standard error, 95 % percentile interval
# As a file, with a column for each replicate:  Rscript chain.R OUTCOME LEVEL  writes chain-weights.csv

if (!exists("answers")) {
${columnsR(script)
  .split('\n')
  .map((line) => (line === '' ? '' : `  ${line}`))
  .join('\n')}
  sizes <- answers[["network.size"]]
  sizes[is.na(sizes) | sizes == 0] <- max(sizes, 1, na.rm = TRUE)
}

${DRAWS}
# [people, replicates] how often each person stands at a place whose own respondent answered, times the weight of RDS-II.
chain.weights <- function(y, isNumber, B = 1000) {
  classes <- (if (isNumber) groups.of(y) else y) * 1000 + where
  drawn <- chain.draws(classes, B)[!is.na(y), , drop = FALSE]
  apply(drawn, 2, tabulate, nbins = nrow(answers)) / sizes
}
chain.answer <- function(name, level = NULL) {
  y <- answers[[name]]
  if (is.null(y)) stop("There is no outcome ", name)
  if (name %in% numbers) y else as.numeric(y == level)
}
chain.design <- function(name, level = NULL, B = 1000) {
  y <- chain.answer(name, level)
  survey::svrepdesign(data = data.frame(answers, y = y, check.names = FALSE), weights = 1 / sizes,
    repweights = chain.weights(y, name %in% numbers, B), type = "other", combined.weights = TRUE,
    scale = 1 / (B - 1), rscales = rep(1, B), mse = FALSE)
}
chain.interval <- function(name, level = NULL, B = 1000) {
  y <- chain.answer(name, level)
  known <- !is.na(y)
  # Where all are alike, or recruitment says nothing, there is no interval.
  if (!any(known)) return(c(estimate = NA, SE = NA, low = NA, high = NA))
  design <- chain.design(name, level, B)
  mean.of.survey <- survey::svymean(~y, design, na.rm = TRUE)
  replicates <- weights(design, type = "analysis")[known, , drop = FALSE]
  means <- colSums(replicates * y[known]) / colSums(replicates)
  figures <- c(estimate = unname(coef(mean.of.survey)), SE = as.numeric(survey::SE(mean.of.survey)))
  if (diff(range(means)) <= 1e-9 * max(abs(means))) return(c(figures[1], SE = NA, low = NA, high = NA))
  c(figures, low = unname(quantile(means, 0.025)), high = unname(quantile(means, 0.975)))
}
chain.table <- function(name) {
  y <- answers[[name]]
  levels <- if (name %in% categories) sort(unique(y[!is.na(y)])) else NA
  table <- t(vapply(levels, function(level) chain.interval(name, level), numeric(4)))
  rownames(table) <- make.unique(if (is.na(levels[1])) "mean" else levels)
  table
}

answer.named <- commandArgs(trailingOnly = TRUE)
if (any(grepl("file=.*chain[.]R$", commandArgs())) && length(answer.named) > 0) {
  y <- chain.answer(answer.named[1], answer.named[2])
  replicates <- chain.weights(y, answer.named[1] %in% numbers)
  colnames(replicates) <- paste0("rep_", seq_len(ncol(replicates)))
  write.csv(data.frame(id = answers$id, rds_ii_weight = 1 / sizes / sum(1 / sizes), replicates), "chain-weights.csv", row.names = FALSE)
}
`;

/** Plain R, with R's random number generator. */
const DRAWS = `# The narrow interval, CHAIN: every place of the chains is filled again with someone whose recruiter had the same answer at the
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
}`;
