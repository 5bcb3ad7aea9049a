# The handful of commands that everyone uses. Each is a script, so that CI and people run the same.

.PHONY: run test check generate help

help: ## lists the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

run: ## starts everything on this machine with a sample meeting; ARGS="--listen …" go to `gleaner dev`
	@ARGS="$(ARGS)" scripts/run.sh

test: ## installs what the tests need and runs every suite
	@scripts/test.sh

check: ## format, lints, documentation, dependency policy
	@scripts/check.sh

generate: ## writes the files that are made from code
	@scripts/generate.sh
