-- Recommendations of earlier versions cited runs without their epochs and proposed what had already run: computed anew when asked for.
delete from studio.recommendations;
