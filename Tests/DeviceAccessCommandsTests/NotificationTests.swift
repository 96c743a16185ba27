import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Testing

@testable import DeviceAccessCommands
@testable import LinuxDevices

@Suite struct `Notifications` {
  let machine = InMemoryMachine {
    $0.addUser("alice", id: 1000)
    $0.addCamera(metadataSibling: true)
    $0.addCamera(4, name: "<i>Second</i>")
  }

  /// The summaries and bodies after each step.
  private func told(_ steps: [(inout MachineDescription) -> Void]) async throws -> [[String]] {
    var changes = DeviceUsageService(machine: machine).changes(of: [.kind(.camera)])
      .makeAsyncIterator()
    var notifications = UseNotifications()
    var all: [[String]] = []
    func take() async throws {
      let told = notifications.take(try #require(try await changes.next()))
      all.append(told.map { "\($0.summary): \($0.body)" })
    }
    try await take()
    for step in steps {
      machine.change(step)
      try await take()
    }
    return all
  }

  @Test func `tell who starts and who stops, and with which devices`() async throws {
    let told = try await told([
      { $0.hold("/dev/video0", by: "cheese", pid: 1, user: "alice") },
      { $0.hold("/dev/video4", by: "cheese", pid: 1, user: "alice") },
      { $0.hold("/dev/video4", by: "cheese", pid: 3, user: "alice") },
      { $0.hold("/dev/video4", by: "wireplumber", pid: 2, user: "alice") },
      { $0.release("/dev/video0", by: 1) },
      { $0.endProcess(1) },
      { $0.endProcess(3) },
    ])
    #expect(
      told == [
        [], ["cheese uses the camera: Integrated Camera, /dev/video0"],
        ["cheese uses the camera: Integrated Camera, /dev/video0\n<i>Second</i>, /dev/video4"],
        [], [], ["cheese uses the camera: <i>Second</i>, /dev/video4"], [],
        ["cheese no longer uses the camera: <i>Second</i>, /dev/video4"],
      ])
  }

  @Test func `tell what is in use when watching begins`() async throws {
    machine.change { $0.hold("/dev/video0", by: "cheese", pid: 1, user: "alice") }
    #expect(
      try await told([{ $0.removeDevice("/dev/video0") }]) == [
        ["cheese uses the camera: Integrated Camera, /dev/video0"],
        ["cheese no longer uses the camera: Integrated Camera, /dev/video0"],
      ])
  }

  private static func change(
    _ devices: [DeviceUse], _ events: [UseEvent] = [], unseen: Bool = false
  ) -> UseChange {
    var facts = UseFacts(devices: devices)
    if unseen { facts.unseen.reasons.insert(.failed) }
    return UseChange(facts: facts, events: events, isFirst: events.isEmpty)
  }

  private static func holder(
    _ id: Int32, in application: String?, container: String? = nil
  ) -> DeviceHolder {
    var process = HoldingProcess(id: id, name: "tool")
    process.application = application
    process.container = container
    process.containerName = container.map { _ in "<web>" }
    return DeviceHolder(process, DeviceHold())
  }

  @Test func `tell programs of one name apart by where they are`() {
    var device = DeviceUse(node: "/dev/video0", kind: "camera")
    device.holders = [
      Self.holder(1, in: "org.example.Aaa"), Self.holder(2, in: "org.example.Bbb"),
      Self.holder(3, in: nil, container: "docker"), Self.holder(4, in: nil),
    ]
    var notifications = UseNotifications()
    let first = notifications.take(Self.change([device]))
    #expect(first.allSatisfy { $0.summary == "tool uses the camera" })
    #expect(
      first.map(\.markup) == [
        "/dev/video0", "/dev/video0\nin docker &lt;web&gt;", "/dev/video0\nin org.example.Aaa",
        "/dev/video0\nin org.example.Bbb",
      ])
    #expect(Set(first.map(\.subject)).count == 4)
    #expect(notifications.current == first)
    let holder = device.holders.removeFirst()
    let told = notifications.take(
      Self.change([device], [UseEvent(.closed, device, .holder(holder))]))
    #expect(
      told.map { "\($0.summary), \($0.body)" }
        == ["tool no longer uses the camera, /dev/video0\nin org.example.Aaa"])
    #expect(told.first?.subject == first[2].subject)
  }

  @Test func `take back that a program that cannot be seen may use a device`() {
    var devices = [0, 1].map { DeviceUse(node: "/dev/video\($0)", kind: "camera") }
    var notifications = UseNotifications()
    #expect(notifications.take(Self.change(devices)) == [])
    let told = notifications.take(
      Self.change(devices, devices.map { UseEvent(.unknown, $0) }, unseen: true))
    #expect(told.map(\.summary) == ["A program that cannot be seen may use the camera"])
    #expect(told.map(\.body) == ["/dev/video0\n/dev/video1"])
    #expect(notifications.current == told)
    // Who is seen to use it says nothing about others.
    devices[0].holders = [Self.holder(1, in: nil)]
    let seen = notifications.take(
      Self.change(devices, [UseEvent(.opened, devices[0])], unseen: true))
    #expect(seen.map(\.summary) == ["tool uses the camera"])
    devices[0].holders = []
    let free = notifications.take(Self.change(devices, devices.map { UseEvent(.free, $0) }))
    #expect(
      free.map(\.summary) == [
        "A program that cannot be seen no longer uses the camera", "tool no longer uses the camera",
      ])
    #expect(free.first?.subject == told.first?.subject)
    #expect(free.first?.body == told.first?.body)
    #expect(notifications.current == [])
  }

  @Test func `say of a program that is out of sight that it may go on`() {
    var device = DeviceUse(node: "/dev/video0", kind: "camera")
    let users = ["cheese", "motion"].enumerated().map { index, name in
      DeviceHolder(HoldingProcess(id: Int32(index), name: name), DeviceHold())
    }
    device.holders = users
    var notifications = UseNotifications()
    _ = notifications.take(Self.change([device]))
    device.holders = []
    device.hiddenHolders = [users[1]]
    let told = notifications.take(
      Self.change(
        [device],
        [
          UseEvent(.closed, device, .holder(users[0])),
          UseEvent(.hidden, device, .holder(users[1])),
        ]))
    #expect(
      told.map(\.summary) == [
        "cheese no longer uses the camera",
        "motion can no longer be seen, and may still use the camera",
      ])
  }

  @Test func `quote what a service would read as markup`() async throws {
    var changes = DeviceUsageService(machine: machine).changes(of: [.kind(.camera)])
      .makeAsyncIterator()
    var notifications = UseNotifications()
    _ = notifications.take(try #require(try await changes.next()))
    machine.change { $0.hold("/dev/video4", by: "\u{1b}<b>", pid: 1, user: "alice") }
    let told = notifications.take(try #require(try await changes.next()))
    #expect(
      told == [
        DesktopNotification(
          program: "devaccess", icon: "camera-web", summary: "\\x1b<b> uses the camera",
          body: "<i>Second</i>, /dev/video4",
          markup: "&lt;i&gt;Second&lt;/i&gt;, /dev/video4", subject: "the camera\0\\x1b<b>")
      ])
  }

  private func notification(_ summary: String, of subject: String) -> DesktopNotification {
    DesktopNotification(
      program: "", icon: "", summary: summary, body: "", markup: "", subject: subject)
  }

  @Test func `that wait for a slow service are the latest of each program`() {
    var queue = NotificationQueue()
    queue.add([notification("a uses", of: "a"), notification("b uses", of: "b")])
    queue.add([notification("a no longer uses", of: "a")])
    #expect(queue.next()?.notification.summary == "b uses")
    #expect(queue.next()?.notification.summary == "a no longer uses")
    #expect(queue.next() == nil && queue.isEmpty)
    for number in 0..<264 { queue.add([notification("\(number)", of: "\(number)")]) }
    let first = queue.next()
    #expect(first?.notification.summary == "8" && first?.leftOut == 8)
    #expect(queue.next()?.leftOut == 0)
  }
}

@Suite struct `Who shows notifications` {
  private var state = NotificationState()
  private let services = [":1.1", ":1.2"].map { DesktopNotification.Service(name: $0, bus: "bus") }

  init() {
    var device = DeviceUse(node: "/dev/video0", kind: "camera")
    device.holders = [DeviceHolder(HoldingProcess(id: 1, name: "cheese"), DeviceHold())]
    state.take(UseChange(facts: UseFacts(devices: [device]), events: [], isFirst: true))
  }

  /// How many are waiting.
  private func count() -> Int {
    var (copy, count) = (state, 0)
    while copy.next() != nil { count += 1 }
    return count
  }

  @Test mutating func `is told everything once, where it comes in place of another`() {
    state.tell(services[0])
    #expect(count() == 1)
    _ = state.next()
    state.note(shownBy: services[0])
    state.tell(services[0])
    #expect(count() == 0)
    state.tell(services[1])
    #expect(count() == 1)
    _ = state.next()
    state.note(shownBy: services[1])
    #expect(count() == 0)
  }

  /// What another program began to use, while nobody told who shows that.
  @Test mutating func `is told the rest, where it is seen to show one`() {
    _ = state.next()
    state.note(shownBy: services[0])
    state.note(shownBy: services[1])
    #expect(count() == 1)
  }

  @Test mutating func `is told what nobody has shown`() {
    _ = state.next()
    state.noteAbsence()
    #expect(count() == 0)
    state.tell(services[0])
    #expect(count() == 1)
    state.tell(services[0])
    #expect(count() == 1)
  }
}

/// The built command, a real bus and a real service on it.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: Product.path != nil && (try? Product.run("command -v dbus-run-session"))?.status == 0,
    "dbus-run-session(1), of the package dbus-daemon, is needed"))
struct `Notifications on a bus` {
  private func run(_ script: String) throws -> Product.Result {
    // A bus that can start nothing by itself.
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
        \#(script)'
      """#)
    // Another test may have the device open through another node, which closes without an event.
    let lines = result.errors.split(separator: "\n").filter {
      !$0.hasPrefix("devaccess: no open-events of /dev/full (what was opened through another node")
        && $0 != "devaccess: everything is told by events again"
    }
    result.errors = lines.joined(separator: "\n")
    return result
  }

  @Test func `are shown by the service that runs`() throws {
    let result = try run(
      #"""
      begin shown
      watch
      "$folder/my-caller" -c "exec 3</dev/full; read" <>"$folder/wait" & user=$!
      until grep -q "my-caller uses" "$folder/shown"; do sleep 0.05; done
      kill $user
      until grep -q "my-caller no longer" "$folder/shown"; do sleep 0.05; done
      # What another program did is told in between.
      grep my-caller "$folder/shown" | sed -E "2s/[|][1-9][0-9]*[|]/|the first|/"
      kill $process; wait $process; echo "status $?"
      kill $shown
      """#)
    #expect(
      result.output == """
        devaccess|0|dialog-information|my-caller uses /dev/full|/dev/full|-1
        devaccess|the first|dialog-information|my-caller no longer uses /dev/full|/dev/full|-1
        status 0

        """)
    #expect(result.errors == "")
  }

  /// As by one that takes another name at each open.
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

  /// Another service gives the same numbers to what others show.
  @Test func `take the place of nothing where another service runs by then`() throws {
    let result = try run(
      #"""
      begin one
      watch
      "$folder/my-caller" -c "exec 3</dev/full; read" <>"$folder/wait" & user=$!
      until grep -q "my-caller uses" "$folder/one"; do sleep 0.05; done
      kill $shown; wait $shown
      begin two
      # What is in use is told to one that comes later.
      until grep -q "my-caller uses" "$folder/two"; do sleep 0.05; done
      kill $user
      until grep -q "my-caller no longer" "$folder/two"; do sleep 0.05; done
      grep my-caller "$folder/two" | sed -E "2s/[|][1-9][0-9]*[|]/|the first|/"
      kill $process; wait $process; echo "status $?"
      kill $shown
      """#)
    #expect(
      result.output == """
        devaccess|0|dialog-information|my-caller uses /dev/full|/dev/full|-1
        devaccess|the first|dialog-information|my-caller no longer uses /dev/full|/dev/full|-1
        status 0

        """)
  }

  /// A bus that was started again gives the names of the one before to other programs.
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
      "$folder/my-caller" -c "exec 3</dev/full; read" <>"$folder/wait" & user=$!
      until grep -q "my-caller uses" "$folder/one"; do sleep 0.05; done
      kill $daemon; wait $daemon $shown; rm -f "$folder/socket" "$folder/address"
      bus
      # It has the first name on this bus, as the service had on the one before.
      dbus-monitor --session >"$folder/other" & other=$!
      until grep -q NameAcquired "$folder/other"; do sleep 0.05; done
      begin two
      # The other bus is looked for again after a second or two.
      until grep -q "my-caller uses" "$folder/two"; do sleep 0.05; done
      kill $user
      until grep -q "my-caller no longer" "$folder/two"; do sleep 0.05; done
      grep my-caller "$folder/two" | sed -E "2s/[|][1-9][0-9]*[|]/|the first|/"
      kill $process; wait $process; echo "status $?"
      kill $other $shown $daemon
      """#)
    #expect(
      result.output == """
        devaccess|0|dialog-information|my-caller uses /dev/full|/dev/full|-1
        devaccess|the first|dialog-information|my-caller no longer uses /dev/full|/dev/full|-1
        status 0

        """)
  }

  @Test func `tell a service that comes later what is in use`() throws {
    let result = try run(
      #"""
      coproc W { exec "$devaccess" watch --notify /dev/full 2>"$folder/errors"; }
      process=$W_PID
      read -r first <&"${W[0]}"
      "$folder/my-caller" -c "exec 3</dev/full; read" <>"$folder/wait" & user=$!
      while read -r line <&"${W[0]}"; do [[ $line == *"opened by my-caller"* ]] && break; done
      until grep -q notification "$folder/errors"; do sleep 0.05; done
      begin shown
      until grep -q "my-caller uses" "$folder/shown"; do sleep 0.05; done
      kill $user $process; wait $process; echo "status $?"
      kill $shown
      """#)
    #expect(result.output == "status 0\n")
  }

  @Test func `where no service runs are missed with a message, and watching goes on`() throws {
    let result = try run(
      #"""
      coproc W { exec "$devaccess" watch --notify /dev/full 2>"$folder/errors"; }
      process=$W_PID
      read -r first <&"${W[0]}"
      "$folder/my-caller" -c "exec 3</dev/full; read" <>"$folder/wait" & user=$!
      # What begins and ends between two looks is not seen.
      while read -r line <&"${W[0]}"; do [[ $line == *"opened by my-caller"* ]] && break; done
      until grep -q notification "$folder/errors"; do sleep 0.05; done
      kill $user
      while read -r line <&"${W[0]}"; do [[ $line == *"closed by my-caller"* ]] && break; done
      kill $process; wait $process; echo "status $?"
      # Other tests have programs open the node, too.
      grep notification "$folder/errors"
      """#)
    #expect(
      result.output
        == "status 0\ndevaccess: cannot show a notification: no service for notifications runs\n")
  }
}
