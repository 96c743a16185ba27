import AccessModel

/// Reports about nodes that are not the camera.
extension Report {
  static let nodes: [Report] = [
    Report("qTox/qTox#6058", .wrongNodeMetadata, first: .wrongNodeMetadata, Self.metadata),
    Report("OpenShot/openshot-qt#6101", .wrongNodeMetadata, Self.metadata),
    Report("TheImagingSource/tiscamera#575", .wrongNodeMetadata, Self.metadata),
    Report("omacom/omarchy#6732", .wrongNodePipeline) {
      $0.device { $0.driver = "intel_ipu7_isys.isys" }
    },
    Report("v4l2loopback/v4l2loopback#193", .loopbackCaps) {
      $0.device {
        $0.driver = "v4l2loopback"
        $0.properties["ID_V4L_CAPABILITIES"] = ":video_output:"
      }
    },
    Report("OpenAgricultureFoundation/openag_brain#178", .nodeRenumbered, Self.renumbered),
    Report("opencv/opencv#10546", .nodeRenumbered, Self.renumbered),
  ]

  /// Asks for the second node of a webcam, which the user may open but which delivers no pictures.
  private static func metadata(_ fixture: inout Fixtures) {
    fixture.join(Fixtures.video)
    fixture.addCamera(1)
    fixture.device(1) { $0.index = 1 }
    fixture.facts.kind = nil
    fixture.facts.access.request = .open(path: "/dev/video1", flags: [.readWrite])
  }

  /// Asks for `video4`, which became `video0` after a replug.
  private static func renumbered(_ fixture: inout Fixtures) {
    fixture.join(Fixtures.video)
    fixture.facts.kind = nil
    fixture.facts.access.request = .open(path: "/dev/video4", flags: [.readWrite])
  }
}
