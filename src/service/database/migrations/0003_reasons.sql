-- Recommendations of earlier versions cited runs without their epochs and proposed what had already run.
-- They are computed again on the next request.
delete from studio.recommendations;
