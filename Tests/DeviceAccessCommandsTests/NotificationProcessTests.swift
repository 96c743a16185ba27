import Testing

@testable import DeviceAccessCommands

/// The built command with a real bus and a real notification service.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: Product.path != nil && (try? Product.run("command -v dbus-run-session"))?.status == 0,
    "dbus-run-session(1), of the package dbus-daemon, is needed"))
struct `Notifications on a bus` {
  private func run(_ script: String) throws -> Product.Result {
    // A bus that cannot start services.
    var result = try Product.run(
      #"""
      folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
      # It opens the device under its name: no event tells that a program takes another one. Other tests
      # have programs of other names.
      cp /bin/bash "$folder/my-caller"; mkfifo "$folder/wait"
      cat >"$folder/bus.conf" <<'END'
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>unix:tmpdir=/tmp</listen>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
        </policy>
      </busconfig>
      END
      export folder service=${devaccess%/*}/notification-service devaccess
      timeout 100 dbus-run-session --config-file="$folder/bus.conf" 3>&2 2>"$folder/bus" -- bash -c '
        exec 2>&3 3>&-
        begin() { "$service" >"$folder/$1" & shown=$!; until grep -qs ready "$folder/$1"; do sleep 0.05; done; }
        watch() {
          coproc W { exec "$devaccess" watch --notify /dev/full; }
          process=$W_PID
          read -r first <&"${W[0]}"
        }
        open_device() { "$folder/my-caller" -c "exec 3</dev/full; read" <>"$folder/wait" & user=$!; }
        until_told() { until grep -q "my-caller $1" "$folder/$2"; do sleep 0.05; done; }
        # What another program did is told in between.
        close_device() {
          kill $user; until_told "no longer" "$1"
          grep my-caller "$folder/$1" | sed -E "2s/[|][1-9][0-9]*[|]/|the first|/"
          kill $process; wait $process; echo "status $?"
        }
        open_without_service() {
          coproc W { exec "$devaccess" watch --notify /dev/full 2>"$folder/errors"; }
          process=$W_PID
          read -r first <&"${W[0]}"
          open_device
          # What begins and ends between two looks is not seen.
          while read -r line <&"${W[0]}"; do [[ $line == *"opened by my-caller"* ]] && break; done
          until grep -q notification "$folder/errors"; do sleep 0.05; done
        }
        \#(script)'
      """#)
    // Another test may open the device through another node, where a close causes no event.
    let lines = result.errors.split(separator: "\n").filter {
      !$0.hasPrefix("devaccess: no open-events of /dev/full (what was opened through another node")
        && $0 != "devaccess: all events are available again"
    }
    result.errors = lines.joined(separator: "\n")
    return result
  }

  /// The notification that the program began, and the one that replaces it when the program ends.
  private static let bothTold = """
    devaccess|0|dialog-information|my-caller uses /dev/full|/dev/full|-1
    devaccess|the first|dialog-information|my-caller no longer uses /dev/full|/dev/full|-1
    status 0

    """

  @Test func `are shown by the service that runs`() throws {
    let result = try run(
      #"""
      begin shown
      watch
      open_device; until_told uses shown
      close_device shown
      kill $shown
      """#)
    #expect(result.output == Self.bothTold)
    #expect(result.errors == "")
  }

  /// A program that changes its name for each open would cause this.
  @Test func `of many programs take the place of the oldest`() throws {
    let result = try run(
      #"""
      begin shown
      watch
      for number in {1..12}; do
        cp /bin/sleep "$folder/program-$number"
        "$folder/program-$number" 60 </dev/full & user=$!
        until grep -q "program-$number uses" "$folder/shown"; do sleep 0.05; done
        kill $user
      done
      # Also of what other programs have open.
      (($(grep -c "^devaccess|0|" "$folder/shown") <= 8)) && echo "not more than eight"
      kill $process; wait $process; echo "status $?"
      kill $shown
      """#)
    #expect(result.output == "not more than eight\nstatus 0\n")
    #expect(result.errors == "")
  }

  /// Another service uses the same numbers for other notifications.
  @Test func `take the place of nothing where another service runs by then`() throws {
    let result = try run(
      #"""
      begin one
      watch
      open_device; until_told uses one
      kill $shown; wait $shown
      begin two
      # What is in use is told to one that comes later.
      until_told uses two
      close_device two
      kill $shown
      """#)
    #expect(result.output == Self.bothTold)
  }

  /// A restarted bus may give a unique name from before the restart to another program.
  @Test func `go to the service, and to no program that has its name on another bus`() throws {
    let result = try run(
      #"""
      export DBUS_SESSION_BUS_ADDRESS="unix:path=$folder/socket"
      bus() {
        dbus-daemon --config-file="$folder/bus.conf" --address="$DBUS_SESSION_BUS_ADDRESS" \
          --nofork --print-address >"$folder/address" & daemon=$!
        until grep -qs unix "$folder/address"; do sleep 0.05; done
      }
      bus; begin one
      watch
      open_device; until_told uses one
      kill $daemon; wait $daemon $shown; rm -f "$folder/socket" "$folder/address"
      bus
      # It has the first name on this bus, as the service had on the one before.
      dbus-monitor --session >"$folder/other" & other=$!
      until grep -q NameAcquired "$folder/other"; do sleep 0.05; done
      begin two
      # The other bus is looked for again after a second or two.
      until_told uses two
      close_device two
      kill $other $shown $daemon
      """#)
    #expect(result.output == Self.bothTold)
  }

  @Test func `tell a service that comes later what is in use`() throws {
    let result = try run(
      #"""
      open_without_service
      begin shown
      until_told uses shown
      kill $user $process; wait $process; echo "status $?"
      kill $shown
      """#)
    #expect(result.output == "status 0\n")
  }

  @Test func `where no service runs are missed with a message, and watching goes on`() throws {
    let result = try run(
      #"""
      open_without_service
      kill $user
      while read -r line <&"${W[0]}"; do [[ $line == *"closed by my-caller"* ]] && break; done
      kill $process; wait $process; echo "status $?"
      # Other tests have programs open the node, too.
      grep notification "$folder/errors"
      """#)
    #expect(
      result.output
        == "status 0\ndevaccess: cannot show a notification: no notification service is running\n")
  }
}
