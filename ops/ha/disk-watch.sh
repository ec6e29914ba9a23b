#!/bin/sh
# Ends Patroni on a primary whose disk is nearly full, so that the replica takes over. Patroni itself does not check
# disks: PostgreSQL would refuse every write and stay the primary. Runs on both database machines (disk-watch.service).
# Does nothing if no replica has every commit.
set -u
min_free_mb=${MIN_FREE_MB:-1024}
api="http://$PATRONI_RESTAPI_CONNECT_ADDRESS"
while sleep 2; do
  free_mb=$(df -Pm "$PATRONI_POSTGRESQL_DATA_DIR" | awk 'NR == 2 { print $4 }')
  [ "$free_mb" -lt "$min_free_mb" ] || continue
  curl --fail --silent --max-time 2 --output /dev/null "$api/primary" || continue
  curl --fail --silent --max-time 2 "$api/cluster" |
    grep -Eq '"role": *"sync_standby", *"state": *"(running|streaming)"' || continue
  echo "Only $free_mb MB are free on the disk of the primary: the replica takes over. Make room, then start Patroni."
  ${LEAVE_COMMAND:-systemctl stop patroni}
done
