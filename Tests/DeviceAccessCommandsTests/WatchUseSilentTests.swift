import LinuxTestSupport
import Testing

@testable import DeviceAccessCommands

/// Changes of devices and their users that cause no event.
@Suite(.timeLimit(.minutes(3))) struct `The process that watches who uses what is silent` {
  /// The kernel does not let unprivileged users inspect a program whose file is not readable.
  @Test(.requiresRoot) func `says that a program is out of sight, and not that it closed`() throws {
    let result = try WatchScript.run(
      #"""
      cp "$(command -v sleep)" "$folder/sleep"; chmod 711 "$folder/sleep"
      mknod -m 666 "$folder/node" c 1 9
      by=$as hold "$folder/sleep"; by=$as watch --use "$folder/node" >/dev/null
      become; seek "no longer visible: .*($holder)" >"$folder/told"
      sed "s/$holder/PID/; s/;.*//" "$folder/told"
      kill "$holder"
      """#)
    #expect(
      result.output
        == "FOLDER/node no longer visible: bash (PID) of nobody, which may still have it open\n")
  }

  /// The device still exists, and its users still have it open.
  @Test(.requiresRoot) func `goes on while a device is out of reach`() throws {
    let result = try WatchScript.run(
      #"""
      mkdir -m 755 "$folder/d"; mknod -m 666 "$folder/d/node" c 1 9
      $as sleep 300 <"$folder/d/node" & holder=$!
      until grep -qx sleep "/proc/$holder/comm"; do sleep 0.05; done
      by=$as watch --use "$folder/d/node" "$folder/none" >/dev/null; read -r -u "${W[0]}" _
      chmod 700 "$folder/d"
      until grep -q "no device-nodes of .*polling every" "$folder/errors"; do sleep 0.1; done
      # Out of reach it is looked at by its number, which other tests use, too.
      kill "$holder"; seek "closed by sleep ($holder)\|removed"; chmod 755 "$folder/d"; rm "$folder/d/node"
      seek "removed\|added"; mknod -m 666 "$folder/d/node" c 1 9; seek added
      ln -s none "$folder/none"; rm "$folder/none"; mknod -m 666 "$folder/none" c 1 8; seek added
      """#)
    #expect(
      result.output.split(separator: "\n").map { $0.prefix { !":;(".contains($0) } } == [
        "FOLDER/d/node closed by sleep ", "FOLDER/d/node was removed", "FOLDER/d/node was added",
        "FOLDER/none was added",
      ], "\(result.output)")
  }

  /// This may last for a moment, or while another filesystem is mounted over the list.
  @Test func `goes on while processes cannot be listed`() throws {
    let result = try WatchScript.run(
      #"""
      by="$broken --refuse getdents64=EIO --while $folder/broken --seconds 100 --"
      watch --use /dev/random >/dev/null
      touch "$folder/broken"; : </dev/random
      # Other tests open other nodes of the device, of which it tells, too.
      for _ in {1..100}; do ! grep "open-events of /proc" "$folder/errors" || break; sleep 0.1; done
      sleep 300 </dev/random & rm "$folder/broken"; seek "opened by sleep" >"$folder/told"
      cut -d " " -f 1-4 "$folder/told"
      kill $!; seek "closed by sleep" >"$folder/told"; cut -d " " -f 1-4 "$folder/told"
      """#)
    #expect(
      result.output == """
        devaccess: no open-events of /proc (input or output error): polling every second
        /dev/random opened by sleep
        /dev/random closed by sleep

        """)
  }

  @Test(.requiresRoot) func `tells which path led to a device`() throws {
    let result = try WatchScript.run(
      #"""
      next() { read -r -t 20 line <&"${W[0]}"; echo "${line//"$folder"/FOLDER}"; }
      ln -s node "$folder/link"
      watch --use --json "$folder/link"
      """#)
    #expect(result.output.contains(#""event":"absent""#), "\(result.output)")
    #expect(result.output.contains(#""node":"FOLDER/link""#), "\(result.output)")
    let linked = try WatchScript.run(
      #"""
      next() { read -r -t 20 line <&"${W[0]}"; echo "${line//"$folder"/FOLDER}"; }
      mknod "$folder/node" c 1 9; ln -s node "$folder/link"
      watch --use --json "$folder/link"
      """#)
    #expect(
      linked.output.contains(#""node":"FOLDER/node","asked_as":["FOLDER/link"]"#),
      "\(linked.output)")
  }

  @Test(.requiresRoot) func `tells that another program runs in a process`() throws {
    let result = try WatchScript.run(
      #"""
      mknod "$folder/node" c 1 9
      hold sleep; watch --use "$folder/node" >/dev/null
      become; seek "now open" >"$folder/told"
      sed "s/$holder/PID/" "$folder/told"
      kill "$holder"
      """#)
    #expect(result.output == "FOLDER/node now open in sleep (PID) of root\n")
  }

  /// Any program can have this name, so it is only trusted for programs of the system.
  @Test(.requiresPrivateMounts) func `believes the name of a media server of the system alone`()
    throws
  {
    let result = try WatchScript.run(
      #"""
      mount -t tmpfs -o mode=755 none /usr/src
      mknod "$folder/node" c 1 9; cp "$(command -v sleep)" /usr/src/pipewire
      look() {
        "$devaccess" users --json "$folder/node" | grep -o '"name":"pipewire"[^}]*"media_server":[a-z]*'
        kill "$holder"; wait "$holder" 2>/dev/null
      }
      runs() { until grep -qx pipewire "/proc/$holder/comm"; do sleep 0.05; done; }
      begin() { /usr/src/pipewire 60 <"$folder/node" & holder=$!; runs; }
      begin; look
      chown nobody /usr/src/pipewire; begin; look
      chown root /usr/src/pipewire; chmod 777 /usr/src/pipewire; begin; look
      chmod 755 /usr/src/pipewire; begin
      # As an update does.
      cp /usr/src/pipewire /usr/src/new; mv /usr/src/new /usr/src/pipewire; look
      # Any program has the name where it is mounted there, in a namespace of its own.
      chown nobody /usr/src/pipewire; export folder
      unshare --mount --propagation private bash -c '
        mount --bind "$(command -v sleep)" /usr/src/pipewire
        exec /usr/src/pipewire 60 <"$folder/node"' & holder=$!
      runs; look
      """#, apart: true)
    #expect(
      result.output.split(separator: "\n").map { $0.hasSuffix("true") } == [
        true, false, false, true, false,
      ], "\(result.output)")
  }

  @Test func `tells of a device that is named twice and not there once`() throws {
    let result = try WatchScript.run(
      #"""
      watch --use "$folder/none" "$folder/none"; kill "$W_PID"; cat <&"${W[0]}"
      """#)
    #expect(result.output == "FOLDER/none does not exist\n")
  }

  /// Otherwise, an indicator of the use would go out.
  @Test(.requiresRoot) func `shows a program that is out of sight until it ends`() throws {
    let result = try WatchScript.run(
      #"""
      cp "$(command -v sleep)" "$folder/sleep"; chmod 711 "$folder/sleep"
      mknod -m 666 "$folder/node" c 1 9
      by=$as hold "$folder/sleep"; by=$as watch --use --format=waybar "$folder/node" >/dev/null
      become; seek "($holder), not visible" >"$folder/told"
      grep -o '"class":\["active"' "$folder/told"
      kill "$holder"
      while ! grep -q nothing "$folder/line" && grep -q "($holder)" "$folder/line"; do
        next >"$folder/line"
      done
      grep -c nothing "$folder/line"
      """#)
    #expect(result.output == #""class":["active""# + "\n0\n")
  }

  /// The number of the node still identifies the device.
  @Test(.requiresPrivateMounts) func `takes a device without sysfs for no other`() throws {
    let result = try WatchScript.run(
      #"""
      mknod "$folder/node" c 1 11; watch --use "$folder/node" >/dev/null
      exec 9<"$folder/node"; seek opened >/dev/null
      mount -t tmpfs none /sys; sleep 1 <"$folder/node" & seek "opened\|added\|removed" >"$folder/told"
      cut -d " " -f 2 "$folder/told"
      """#, apart: true)
    #expect(result.output == "opened\n", "\(result.output)")
  }
}
