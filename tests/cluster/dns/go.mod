// What parts.sh builds the cluster's DNS from.
module gleaner.dev/tests/cluster/dns

go 1.26.0

require github.com/coredns/coredns v1.14.7
