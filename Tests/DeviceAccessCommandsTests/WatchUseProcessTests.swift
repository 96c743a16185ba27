import Testing

@testable import DeviceAccessCommands

/// The built command, watching a node that exists on every machine.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Product.path != nil, "no devaccess"))
struct `The process that watches who uses a node` {
  @Test func `tells each open and close by another process`() throws {
    let result = try Product.run(
      """
      coproc W { exec "$devaccess" watch --use /dev/full; }
      process=$W_PID
      read -r first <&"${W[0]}"
      # Bash opens the node itself, and holds it until it closes it.
      exec 9</dev/full
      while read -r line <&"${W[0]}"; do [[ $line == *"opened by bash ($$)"* ]] && break; done
      echo "${line#* }" | cut -d ' ' -f 1-4
      exec 9<&-
      while read -r line <&"${W[0]}"; do [[ $line == *"closed by bash ($$)"* ]] && break; done
      echo "${line#* }" | cut -d ' ' -f 1-4
      kill "$process"; wait "$process"; echo "status $?"
      """)
    #expect(
      result.output
        == "/dev/full opened by bash\n/dev/full closed by bash\nstatus 0\n")
    #expect(result.errors == "")
  }

  /// This causes no event for the node or its directory.
  @Test(.requiresPrivateMounts) func `sees that another device is mounted over the node`() throws {
    let result = try Product.run(
      #"""
      export devaccess
      unshare --mount --propagation private bash <<'S'
      folder=$(mktemp -d); : >"$folder/lines"; touch "$folder/node"
      mount --bind /dev/full "$folder/node"
      trap 'umount "$folder/node"; umount "$folder/node"; rm -rf "$folder"' EXIT
      "$devaccess" watch --use "$folder/node" >"$folder/lines" & process=$!
      until [[ -s $folder/lines ]]; do sleep 0.05; done
      mount --bind /dev/zero "$folder/node"
      until grep -q "was added" "$folder/lines"; do sleep 0.05; done
      exec 9<"$folder/node"
      until grep -q "opened by bash ($$)" "$folder/lines"; do sleep 0.05; done
      exec 9<&-
      until grep -q "closed by bash ($$)" "$folder/lines"; do sleep 0.05; done
      kill "$process"; wait "$process"; echo "status $?"
      S
      """#)
    #expect(result.output == "status 0\n", "\(result.errors)")
  }

  /// In the other namespace, the ID of a holder belongs to another process or to none.
  @Test(.requiresPrivateMounts) func `says where /proc is that of another namespace`() throws {
    let result = try Product.run(
      #"""
      folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
      exec 9</dev/full
      unshare --pid --fork --kill-child timeout 3 "$devaccess" watch --use /dev/full >"$folder/lines" 2>"$folder/errors"
      grep -o "process IDs of another namespace" "$folder/errors"; grep -q "bash ($$)" "$folder/lines" && echo seen
      """#)
    #expect(result.output == "process IDs of another namespace\nseen\n", "\(result.errors)")
  }

  @Test func `runs commands one at a time, in order, with the event`() throws {
    let result = try Product.run(
      #"""
      folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
      cat >"$folder/told" <<'END'
      read -r json
      [ -e "$1/busy" ] && echo overlap >>"$1/log"
      touch "$1/busy"
      printf '%s|%s|%s|%s|%s\n' "$DEVACCESS_EVENT" "$DEVACCESS_PATH" "$DEVACCESS_PROGRAM" \
        "$DEVACCESS_PID" "${json%%,*}" >>"$1/log"
      rm "$1/busy"
      exit 3
      END
      export folder DEVACCESS_OLD=here
      coproc W { exec "$devaccess" watch --use /dev/full \
        --exec '{ echo "old:$DEVACCESS_OLD" >>"$folder/old"; exec sh "$folder/told" "$folder"; } 2>/dev/null'; }
      process=$W_PID
      read -r first <&"${W[0]}"
      exec 9</dev/full
      while read -r line <&"${W[0]}"; do [[ $line == *"opened by bash ($$)"* ]] && break; done
      exec 9<&-
      while read -r line <&"${W[0]}"; do [[ $line == *"closed by bash ($$)"* ]] && break; done
      until grep -q "closed|/dev/full|bash|$$|" "$folder/log" 2>/dev/null; do sleep 0.05; done
      grep -e '^state' -e overlap -e "|bash|$$|" "$folder/log" | sed "s/|$$|/|own|/"
      sort -u "$folder/old"
      kill "$process"; wait "$process"; echo "status $?"
      """#)
    let json = #"{"schema":"devaccess/1""#
    #expect(
      result.output == """
        state|/dev/full|||\(json)
        opened|/dev/full|bash|own|\(json)
        closed|/dev/full|bash|own|\(json)
        old:
        status 0

        """)
    // Another test may have the device open at the end, so a command may still be running.
    let reported = Set(
      result.errors.split(separator: "\n").filter { !$0.contains("still running") })
    #expect(reported == ["devaccess: the --exec command exited with status 3"], "\(result.errors)")
  }

  @Test func `a command that does not end keeps it from nothing, and is not interpreted`() throws {
    let result = try Product.run(
      #"""
      folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
      export folder
      mkdir "$folder/\$(touch bad);touch bad"
      ln -s /dev/full "$folder/\$(touch bad);touch bad/node"
      cd "$folder"
      coproc W { exec "$devaccess" watch --use "$folder/none" "$folder/\$(touch bad);touch bad/no" \
        --exec 'echo "$DEVACCESS_PATH" >>"$folder/log"; test "$DEVACCESS_PATH" = "$folder/none" || {
          echo $$ >"$folder/pid"; sleep 60; }'; }
      process=$W_PID
      read -r first <&"${W[0]}"; read -r second <&"${W[0]}"
      until [ -s "$folder/pid" ]; do sleep 0.05; done
      kill "$process"; wait "$process"; echo "status $?"
      kill "$(cat "$folder/pid")" && echo "went on"
      wc -l <"$folder/log"
      ls "$folder" | grep -cx bad
      """#)
    #expect(result.output == "status 0\nwent on\n2\n0\n")
    #expect(result.errors == "")
  }

  @Test func `tells of one device once, however often it is named`() throws {
    let result = try Product.run(
      #"""
      folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
      ln -s /dev/full "$folder/link"; ln -s /dev/zero "$folder/other"
      coproc W { cd "$folder"; exec "$devaccess" watch --use link ./link /dev/full other; }
      process=$W_PID
      for number in 1 2; do read -r line <&"${W[0]}"; echo "${line#* }" | cut -d ' ' -f 1; done
      kill "$process"; wait "$process"; echo "status $?"
      cd "$folder"
      coproc W { exec "$devaccess" watch --read link link other; }
      process=$W_PID
      for number in 1 2; do read -r line <&"${W[0]}"; [[ $line =~ read' access to '.*(link|other) ]]; echo "${BASH_REMATCH[1]}"; done
      kill "$process"; wait "$process"; echo "status $?"
      """#)
    #expect(
      result.output == "/dev/full\n/dev/zero\nstatus 0\nlink\nother\nstatus 0\n")
    #expect(result.errors == "")
  }

  @Test func `commands that wait when it ends are not run`() throws {
    let result = try Product.run(
      #"""
      folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
      export folder
      coproc W { exec "$devaccess" watch --use "$folder/1" "$folder/2" "$folder/3" 2>"$folder/errors" \
        --exec 'echo $$ >>"$folder/log"; until [ -e "$folder/over" ]; do sleep 0.05; done'; }
      process=$W_PID
      for number in 1 2 3; do read -r line <&"${W[0]}"; done
      until [ -s "$folder/log" ]; do sleep 0.05; done
      kill "$process"; wait "$process"; echo "status $?"
      sleep 0.3; wc -l <"$folder/log"
      touch "$folder/over"
      sleep 0.3; wc -l <"$folder/log"
      cat "$folder/errors"
      """#)
    #expect(
      result.output == """
        status 0
        1
        1
        devaccess: the --exec command was still running: it is not run for the last 2 events

        """)
    #expect(result.errors == "")
  }

  /// Without a budget, the command would scan all the time.
  @Test func `takes a part of a processor at most while a node is opened without end`() throws {
    let result = try Product.run(
      #"""
      folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
      "$devaccess" watch --use /dev/full >"$folder/lines" &
      process=$!
      # In hundredths of a second, as the kernel counts them for programs.
      used() { set -- $(sed 's/.*) //' "/proc/$process/stat"); echo $((${12} + ${13})); }
      until [ -s "$folder/lines" ]; do sleep 0.05; done
      before=$(used) start=$SECONDS
      while ((SECONDS < start + 12)); do : </dev/full; done
      echo "of 100: $((($(used) - before) / 12))"
      # And in the end it tells what is so.
      told() { grep -cF "$1 by bash ($$)" "$folder/lines"; }
      exec 9</dev/full
      until (($(told opened) > $(told closed))); do sleep 0.05; done
      exec 9<&-
      until (($(told opened) == $(told closed))); do sleep 0.05; done
      kill "$process"; wait "$process"; echo "status $?"
      """#)
    let words = result.output.split { $0 == " " || $0 == "\n" }
    #expect(words.count == 5 && words.suffix(2) == ["status", "0"])
    #expect(try #require(Int(words[2])) < 60)
    #expect(result.errors == "")
  }

  @Test func `ends at a signal while nobody takes its output`() throws {
    let result = try Product.run(
      #"""
      folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
      mkfifo "$folder/pipe"; exec 8<>"$folder/pipe"
      "$devaccess" watch --use /dev/full >"$folder/pipe" 8>&- &
      process=$!
      read -r first <&8
      # What a pipe holds. Each open is a line that finds no room.
      dd if=/dev/zero bs=65536 count=1 oflag=nonblock >&8 2>/dev/null || :
      for number in 1 2 3; do : </dev/full; sleep 0.2; done
      kill "$process"
      timeout 20 tail --pid="$process" -f /dev/null || { echo "goes on"; kill -KILL "$process"; }
      wait "$process"; echo "status $?"
      """#)
    #expect(result.output == "status 0\n")
    #expect(result.errors == "")
  }

  @Test func `runs commands while nobody takes its output, which it goes on with later`() throws {
    let result = try Product.run(
      #"""
      folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
      mkfifo "$folder/pipe"; exec 8<>"$folder/pipe"; : >"$folder/ran"
      FOLDER=$folder "$devaccess" watch --use --exec 'echo "$DEVACCESS_PID" >>"$FOLDER/ran"' /dev/full \
        >"$folder/pipe" 8>&- &
      process=$!
      read -r first <&8
      dd if=/dev/zero bs=65536 count=1 oflag=nonblock of="$folder/pipe" 2>/dev/null || :
      ran() { until grep -qx "$1" "$folder/ran"; do sleep 0.05; done; }
      # Held until that was seen.
      sleep 60 </dev/full & one=$!; ran $one; kill $one
      sleep 60 </dev/full & two=$!; ran $two; kill $two
      echo "commands ran"
      cat <&8 >"$folder/all" & reader=$!
      for pid in $one $two; do
        until grep -aqE " opened by (bash|sleep) \\($pid\\)" "$folder/all"; do sleep 0.05; done
      done
      echo "lines came"
      kill "$process"; wait "$process"; echo "status $?"
      kill $reader
      """#)
    #expect(result.output == "commands ran\nlines came\nstatus 0\n")
    // The command may also run because of other programs.
    #expect(!result.errors.contains("left out"))
  }

  @Test func `waits while something that is no device is in its place`() throws {
    let result = try Product.run(
      #"""
      folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
      ln -s /dev/full "$folder/node"
      coproc W { exec "$devaccess" watch --use "$folder/node" --json; }
      process=$W_PID
      lead() { ln -s "$1" "$folder/new"; mv -T "$folder/new" "$folder/node"; }
      told() { while read -r line <&"${W[0]}"; do [[ $line == *"\"event\":\"$1\""* ]] && break; done; }
      told state
      lead /etc/passwd; told removed
      lead /dev/full; told added
      kill "$process"; wait "$process"; echo "status $?"
      "$devaccess" watch --use /etc/passwd; echo "status $?"
      """#)
    #expect(result.output == "status 0\nstatus 3\n")
    #expect(result.errors == "devaccess: cannot find the users of /etc/passwd: not a device\n")
  }

  /// A program of the system counts as a media server because of the name of its file.
  @Test(.requiresPrivateMounts)
  func `does not show a media server that only keeps it open, and says that it polls`() throws {
    let result = try WatchScript.run(
      #"""
      mount -t tmpfs -o mode=755 none /usr/src
      cp /bin/sleep /usr/src/pipewire; cp /bin/sleep "$folder/my-viewer"
      coproc W { exec "$devaccess" watch --use --format=waybar /dev/full 2>"$folder/errors"; }
      process=$W_PID
      read -r first <&"${W[0]}"
      /usr/src/pipewire 300 </dev/full & server=$!
      until grep -q client-events "$folder/errors"; do sleep 0.05; done
      "$folder/my-viewer" 300 </dev/full & user=$!
      while read -r line <&"${W[0]}"; do
        echo "$line"; [[ $line == *my-viewer* ]] && break
      done >"$folder/lines"
      kill "$user"
      while read -r line <&"${W[0]}"; do
        echo "$line"; [[ $line != *my-viewer* ]] && break
      done >>"$folder/lines"
      kill "$server" "$process"; wait "$process"; echo "status $?"
      grep -c pipewire "$folder/lines"
      grep -o "my-viewer ([0-9]*)" "$folder/lines" | head -n 1 | sed "s/$user/PID/"
      head -n 1 "$folder/errors"
      """#, apart: true)
    #expect(
      result.output == """
        status 0
        0
        my-viewer (PID)
        devaccess: no client-events of /dev/full (the clients of pipewire are not reported): \
        polling every second

        """)
    #expect(result.errors == "")
  }
}
