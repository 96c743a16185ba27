import AccessModel
import Testing

@Suite struct `Path walk` {
  @Test(arguments: [
    SceneRow("a missing name", "denied 2 walk.noent /a/x") { $0.open("/a/x", [.readOnly]) },
    SceneRow("a missing name is not told without search", "denied 13 mode.other /a") {
      $0.change("/a") { $0.mode = 0o700 }
      $0.open("/a/x", [.readOnly])
    },
    SceneRow("a missing directory", "denied 2 walk.noent /x") { $0.open("/x/y", [.readOnly]) },
    SceneRow("a directory without search", "denied 13 mode.other /a") {
      $0.change("/a") { $0.mode = 0o744 }
      $0.addCamera(mode: 0o666)
    },
    SceneRow("the root without search", "denied 13 mode.other /") {
      $0.change("/") { $0.mode = 0o700 }
      $0.addCamera(mode: 0o666)
    },
    SceneRow("read is not needed on the way", "granted mode.other /a/video0") {
      $0.change("/a") { $0.mode = 0o711 }
      $0.addCamera(mode: 0o666)
    },
    SceneRow("a file in the middle", "denied 20 walk.notdir /a/f") {
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f/x", [.readOnly])
    },
    SceneRow("a file with a slash", "denied 20 walk.notdir /a/f") {
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f/", [.readOnly])
    },
    SceneRow("a file with a slash and a dot", "denied 20 walk.notdir /a/f") {
      $0.add("/a/f", .regular, 0o777)
      $0.open("/a/f/.", [.readOnly])
    },
    SceneRow("a trailing slash needs no search there", "granted mode.other /a") {
      $0.change("/a") { $0.mode = 0o744 }
      $0.open("/a/", [.readOnly])
    },
    SceneRow("a trailing dot needs search there", "denied 13 mode.other /a") {
      $0.change("/a") { $0.mode = 0o744 }
      $0.open("/a/.", [.readOnly])
    },
    SceneRow("a trailing dot-dot needs search there", "denied 13 mode.other /a") {
      $0.change("/a") { $0.mode = 0o744 }
      $0.open("/a/..", [.readOnly])
    },
    SceneRow("slashes, dots and dot-dots", "granted mode.other /a/video0") {
      $0.addCamera(mode: 0o666)
      $0.open("//a/.././../a//./video0", [.readOnly])
    },
    SceneRow("three dots are a name", "granted mode.other /a/...") {
      $0.add("/a/...", .regular, 0o444)
      $0.open("/a/...", [.readOnly])
    },
    SceneRow("the root itself", "granted mode.other /") { $0.open("/", [.readOnly]) },
    SceneRow("the root by many slashes needs no search", "granted mode.other /") {
      $0.change("/") { $0.mode = 0o744 }
      $0.open("///", [.readOnly])
    },
    SceneRow("a directory that must be one", "denied 20 walk.notdir /a/f") {
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f", [.readOnly, .directory])
    },
    SceneRow("a name of 255 bytes is looked up", "denied 2 walk.noent") {
      $0.open("/a/" + String(repeating: "n", count: 255), [.readOnly])
    },
    SceneRow("a name of 256 bytes is not", "denied 36 walk.name_too_long") {
      $0.open("/a/" + String(repeating: "n", count: 256), [.readOnly])
    },
    SceneRow("a long name is not told without search", "denied 13 mode.other /a") {
      $0.change("/a") { $0.mode = 0o700 }
      $0.open("/a/" + String(repeating: "n", count: 256), [.readOnly])
    },
    SceneRow("a path of 4095 bytes is walked", "granted mode.other /a") {
      $0.open(String(repeating: "/", count: 4094) + "a", [.readOnly])
    },
    SceneRow("a path of 4096 bytes is not", "denied 36 walk.name_too_long -") {
      $0.open(String(repeating: "/", count: 4095) + "a", [.readOnly])
    },
    SceneRow("an empty path", "denied 2 walk.noent -") { $0.open("", [.readOnly]) },
  ])
  func `follows the kernel`(row: SceneRow) {
    var scene = Scene()
    row.build(&scene)
    // The rows omit long names at the end of the answer.
    #expect(scene.answer.hasPrefix(row.expected))
    #expect(scene.verdict == scene.answer)
  }

  @Test func `names sort in any order of nodes`() {
    var scene = Scene()
    for name in ["b", "a-b", "a", "a.b", "a/c", "a/c/d", "ab", "é", "a-b/c"] {
      scene.add("/a/" + name, name.contains("d") ? .regular : .directory, 0o755)
    }
    for _ in 0..<20 {
      scene.value.nodes.shuffle()
      for node in scene.value.nodes {
        scene.open(node.path, [.readOnly])
        #expect(scene.answer == "granted mode.other \(node.path)")
      }
    }
  }

  @Test func `a node without its directory cannot be reached`() {
    var scene = Scene()
    scene.add("/x/y", .regular, 0o666)
    scene.open("/x/y", [.readOnly])
    #expect(scene.answer == "denied 2 walk.noent /x")
  }

  @Test func `of two nodes at one path the first counts`() {
    var scene = Scene()
    scene.add("/a/f", .regular, 0o444)
    scene.add("/a/f", .regular, 0o000)
    scene.open("/a/f", [.readOnly])
    #expect(scene.answer == "granted mode.other /a/f")
  }

  @Test func `without a root nothing is decided`() {
    var scene = Scene()
    scene.value.nodes = []
    #expect(scene.answer == "undecided the root directory was not observed")
    #expect(scene.verdict == scene.answer)
  }
}
