import AccessModel

/// Nodes that are not the camera.
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

  /// The second node of a webcam, which a user may open and which gives no picture.
  private static func metadata(_ fixture: inout Fixtures) {
    fixture.join(Fixtures.video)
    fixture.addCamera(1)
    fixture.device(1) { $0.index = 1 }
    fixture.facts.kind = nil
    fixture.facts.access.request = .open(path: "/dev/video1", flags: [.readWrite])
  }

  /// The camera was video4 and is video0 since the replug.
  private static func renumbered(_ fixture: inout Fixtures) {
    fixture.join(Fixtures.video)
    fixture.facts.kind = nil
    fixture.facts.access.request = .open(path: "/dev/video4", flags: [.readWrite])
  }
}
