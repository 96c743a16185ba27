import Testing

@testable import AccessModel

@Suite struct `Names as bytes` {
  @Test(arguments: [
    "", "/dev/video0", "/home/zoë/Bilder", "/tmp/\u{10FFFF}", "/\u{F8FF}\u{1F4F7}", "/a\u{7F}b",
  ])
  func `a valid name without reserved characters is its own text`(name: String) {
    let text = ByteText(bytes: Array(name.utf8))
    #expect(text.bytes == Array(name.utf8))
    #expect(text.byteCount == name.utf8.count)
    #expect((text.text == name) == !name.contains("\u{10FFFF}"))
  }

  @Test func `any bytes come back as they were`() {
    var generator = SystemRandomNumberGenerator()
    // Bytes that start, continue and break UTF-8 sequences, and bytes of the reserved scalars.
    let pool: [UInt8] = [
      0x2F, 0x41, 0x80, 0xBF, 0xC3, 0xA9, 0xE2, 0xED, 0xF0, 0xF4, 0x8F, 0xBE, 0xFF,
    ]
    var texts: [String: [UInt8]] = [:]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...7, using: &generator)).map { _ in
        pool.randomElement(using: &generator) ?? 0
      }
      let text = ByteText(bytes: bytes)
      #expect(text.bytes == bytes)
      #expect(text.byteCount == bytes.count)
      #expect(texts.updateValue(bytes, forKey: text.text) ?? bytes == bytes)
    }
  }

  @Test func `every byte above ASCII has a scalar of its own`() {
    for byte in UInt8(0x80)...0xFF {
      let text = ByteText(bytes: [byte]).text
      #expect(text.unicodeScalars.count == 1)
      #expect(text.unicodeScalars.first.flatMap(ByteText.byte) == byte)
    }
    #expect(ByteText.byte("é") == nil && ByteText.byte("\u{10FF7F}") == nil)
  }

  @Test func `the bytes of a reserved character are kept apart from the byte it stands for`() {
    let reserved = ByteText(bytes: Array("\u{10FFFF}".utf8))
    #expect(reserved != ByteText(bytes: [0xFF]))
    #expect(reserved.bytes == [0xF4, 0x8F, 0xBF, 0xBF])
  }

  @Test func `two ways to write a letter are two names`() {
    #expect(ByteText("caf\u{E9}") != ByteText("cafe\u{301}"))
    #expect(
      Set([ByteText("caf\u{E9}"), ByteText("cafe\u{301}"), ByteText("caf\u{E9}")]).count == 2)
  }

  @Test func `a shell reads the very bytes`() {
    #expect(ByteText(bytes: [0x2F, 0xFF, 0x31]).text.shellQuoted == #"$'/\3771'"#)
    #expect(ByteText(bytes: Array("/\u{10FFFF}".utf8)).text.shellQuoted == #"$'/\364\217\277\277'"#)
  }

  @Test(arguments: [(255, true), (256, false)])
  func `the length of a name is counted in its bytes`(count: Int, exists: Bool) {
    let name = ByteText(bytes: [UInt8](repeating: 0xFF, count: count)).text
    let access = AccessCase(
      protectedSymlinks: true, mounts: [Mount(at: "/", fstype: "ext4")],
      nodes: [Node(path: "/", type: .directory, mode: 0o755, uid: 0, gid: 0)],
      subject: Subject(uid: 0, gid: 0),
      request: .access(path: "/\(name)", mode: .read, effective: true, noFollow: false))
    #expect(access.decide().rule == (exists ? .walkNoEntry : .walkNameTooLong))
  }
}
